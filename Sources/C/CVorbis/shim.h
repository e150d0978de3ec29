/// libvorbis, and what it takes from libogg: a packet.
#pragma once
#include <vorbis/codec.h>
