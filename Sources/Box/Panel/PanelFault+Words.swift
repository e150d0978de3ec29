import PanelWords

extension PanelFault {
  /// What is wrong, in the words of the display at their longest, without what changes from second to second.
  public func words(in language: Language) -> String { language.texts.fault(self).what.forms[0] }
}
