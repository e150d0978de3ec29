// The engine as one library: `import Bakelite` brings the public names of all its targets.

@_exported import AudioOutput
@_exported import Blocks
@_exported import Framing
@_exported import Metering
@_exported import Network
@_exported import RadioEngine
@_exported import Rendering
@_exported import System
@_exported import Units
