import ArgumentParser

// Options with the name of their value. `parsing`: `.unconditional` for a value that may start with "-".

extension Option where Value: ExpressibleByArgument {
  init(
    wrappedValue: Value, _ help: String, value: String, parsing: SingleValueParsingStrategy = .next,
    completion: CompletionKind? = nil
  ) {
    self.init(
      wrappedValue: wrappedValue, parsing: parsing, help: ArgumentHelp(help, valueName: value), completion: completion)
  }
}

extension Option {
  init<Element: ExpressibleByArgument>(
    _ help: String, value: String, name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next,
    completion: CompletionKind? = nil
  ) where Value == Element? {
    self.init(name: name, parsing: parsing, help: ArgumentHelp(help, valueName: value), completion: completion)
  }

  init<Element: ExpressibleByArgument>(wrappedValue: [Element], _ help: String, value: String)
  where Value == [Element] {
    self.init(wrappedValue: wrappedValue, help: ArgumentHelp(help, valueName: value))
  }
}
