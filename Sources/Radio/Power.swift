import Glibc

/// `base` to the power of `exponent` (pow(3)).
func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
