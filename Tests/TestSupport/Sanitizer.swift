import Foundation

/// The sanitizer that this process runs under, if any: some measures mean nothing then.
public enum Sanitizer {
  /// Whether AddressSanitizer or ThreadSanitizer is linked in; both keep memory of their own.
  public static let isOn = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
