/// Imports libvorbis, and libogg's packet.
#pragma once
#include <vorbis/codec.h>
