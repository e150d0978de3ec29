import Listings
import Testing

@Suite("PLS")
struct PlsTests {
  @Test(
    "gives the files by number",
    arguments: [
      Case("[playlist]\nFile1=http://a/1\nNumberOfEntries=1\nVersion=2\n", ["http://a/1"]),
      Case("[PlayList]\r\nfile1=http://a/1\r\nFILE2=http://a/2", ["http://a/1", "http://a/2"]),
      Case("File1=http://a/1", ["http://a/1"]),
      Case("\n\n  File1 =  http://a/1  \n", ["http://a/1"]),
      Case("[playlist]\nNumberOfEntries=9\nFile1=http://a/1", ["http://a/1"]),
      Case("[playlist]\nnumberofentries=x\nFile3=http://a/3\nFile1=http://a/1", ["http://a/1", "http://a/3"]),
      Case("File10=http://a/10\nFile9=http://a/9\nFile02=http://a/2", ["http://a/2", "http://a/9", "http://a/10"]),
      Case("File1=http://a/first\nFile1=http://a/second", ["http://a/first"]),
      Case("File1=\nFile1=http://a/second", ["http://a/second"]),
      Case("; File1=http://a/no\n#File1=http://a/no\nFile2=http://a/2;x#y", ["http://a/2;x#y"]),
      Case("File1=\"http://a/1\"\nFile2='live.mp3'", ["http://a/1", "live.mp3"]),
      Case("File1=http://a/?x=1&y=2", ["http://a/?x=1&y=2"]),
      Case("File=http://a/\nFileX=http://a/\nFile99999999999999999999=http://a/\n=http://a/\nFile1", []),
      Case("File1=C:\\Music\\a.mp3\nFile2=http://a/2", ["http://a/2"]),
      Case("[Reference]\nRef1=http://a/1\nRef2=http://a/2", ["http://a/1", "http://a/2"]),
    ])
  func files(_ list: Case<[String]>) throws {
    #expect(try references(list.text, .pls) == list.outcome)
  }

  @Test("matches titles and lengths by number, wherever they stand")
  func titles() throws {
    let list = """
      [playlist]
      title2= Two = 2 ; too
      Length1=123
      File1=a.mp3
      TITLE1=One
      Title1=Uno
      File2=b.mp3
      Length2=-1
      Length3=7
      Title3=Three
      File4=d.mp3
      Title4=
      """
    #expect(
      try entries(list, .pls) == [
        ListEntry(reference: "a.mp3", title: "One", seconds: 123),
        ListEntry(reference: "b.mp3", title: "Two = 2 ; too"),
        ListEntry(reference: "d.mp3"),
      ])
  }
}
