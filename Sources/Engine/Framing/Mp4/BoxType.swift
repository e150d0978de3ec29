/// Four-character codes of the boxes that are read (ISO 14496-12, 4.2), as big-endian numbers.
enum BoxType: UInt32 {
  // Top level.
  case emsg = 0x656D_7367
  case ftyp = 0x6674_7970
  case mdat = 0x6D64_6174
  case moof = 0x6D6F_6F66
  case moov = 0x6D6F_6F76
  case prft = 0x7072_6674
  case sidx = 0x7369_6478
  case styp = 0x7374_7970

  // In moov.
  case hdlr = 0x6864_6C72
  case mdhd = 0x6D64_6864
  case mdia = 0x6D64_6961
  case minf = 0x6D69_6E66
  case mvex = 0x6D76_6578
  case stbl = 0x7374_626C
  case stsd = 0x7374_7364
  case stsz = 0x7374_737A
  case stz2 = 0x7374_7A32
  case tkhd = 0x746B_6864
  case trak = 0x7472_616B
  case trex = 0x7472_6578

  // In moof.
  case tfdt = 0x7466_6474
  case tfhd = 0x7466_6864
  case traf = 0x7472_6166
  case trun = 0x7472_756E

  // Sample entries and their children.
  case ac3 = 0x6163_2D33
  case alac = 0x616C_6163
  case eac3 = 0x6563_2D33
  case enca = 0x656E_6361
  case esds = 0x6573_6473
  case flac = 0x664C_6143
  case mp3 = 0x2E6D_7033
  case mp3InWave = 0x6D73_0055
  case mp4a = 0x6D70_3461
  case opus = 0x4F70_7573
  case wave = 0x7761_7665

  var beginsFragment: Bool {
    switch self {
    case .emsg, .ftyp, .moof, .moov, .prft, .sidx, .styp: true
    default: false
    }
  }
}
