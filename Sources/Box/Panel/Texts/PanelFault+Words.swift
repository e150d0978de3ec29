import PanelWords

extension PanelFault {
  /// The longest form of the display's words for the fault, without parts that change every second.
  public func words(in language: Language) -> String { language.texts.fault(self).what.forms[0] }
}
