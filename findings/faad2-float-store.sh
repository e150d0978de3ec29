#!/usr/bin/env bash
# faad2 2.11.2 (Debian 13) decodes AAC with far more instructions than its code needs.
# Expected: a release build lets the compiler keep floating-point values in registers, as on any processor with SSE or
# NEON registers.
# Seen: CMakeLists.txt adds -ffloat-store for each GNU compiler. The flag exists for the x87 registers of old 32-bit x86
# processors. GCC obeys it on x86-64 too, and stores each intermediate value in memory. Debian 12 builds 2.10.1 with
# autotools, without this flag. The samples are equal with and without the flag.
# Needs the Debian packages gcc, ffmpeg, valgrind and dpkg-dev, and a machine whose apt knows a Debian archive.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
archive=$(apt-get indextargets --format '$(REPO_URI)' | grep '/debian/$' | sort -u | head -n 1)
mkdir -p lists/partial cache/archives/partial
keys=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb-src [signed-by=$keys] $archive trixie main" >sources
apt=(apt-get -qq -o Dir::Etc::sourcelist="$folder/sources" -o Dir::Etc::sourceparts=-
  -o Dir::State::lists="$folder/lists" -o Dir::Cache="$folder/cache" -o APT::Sandbox::User=root)
"${apt[@]}" update
"${apt[@]}" source faad2=2.11.2-1
cd faad2-2.11.2
cat >decode.c <<'END'
#include <neaacdec.h>
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
  (void)count;
  FILE *file = fopen(words[1], "rb");
  static unsigned char bytes[4 << 20];
  size_t size = fread(bytes, 1, sizeof bytes, file), at = 0;
  NeAACDecHandle decoder = NeAACDecOpen();
  unsigned long rate;
  unsigned char channels;
  at = (size_t)NeAACDecInit(decoder, bytes, size, &rate, &channels);
  unsigned long long frames = 0, sum = 0;
  while (at < size) {
    NeAACDecFrameInfo info;
    short *samples = NeAACDecDecode(decoder, &info, bytes + at, size - at);
    if (info.error || info.bytesconsumed == 0) break;
    for (unsigned long i = 0; i < info.samples; i++) sum = sum * 31 + (unsigned short)samples[i];
    frames += info.samples;
    at += info.bytesconsumed;
  }
  printf("%llu %llx\n", frames, sum);
}
END
noise='anoisesrc=d=20:c=pink:r=44100:a=0.5:s=7'
ffmpeg -v error -f lavfi -i "$noise" -ac 2 -c:a aac -b:a 96k -f adts "$folder/noise.aac"
uname -m
defines=(-DHAVE_LRINTF=1 -DPACKAGE_VERSION='"2.11.2"')
for name in STDC_HEADERS HAVE_INTTYPES_H HAVE_STDINT_H HAVE_MEMCPY HAVE_STRING_H HAVE_SYS_TYPES_H HAVE_SYS_STAT_H \
  HAVE_STRINGS_H; do
  defines+=("-D$name=1")
done
for flag in -ffloat-store -fno-float-store; do
  gcc -O2 "$flag" -w -Iinclude -Ilibfaad "${defines[@]}" \
    decode.c libfaad/*.c -lm -o decode
  sound=$(./decode "$folder/noise.aac")
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null ./decode "$folder/noise.aac" >out 2>err
  count=$(grep -oE 'I +refs: +[0-9,]+' err | tr -dc 0-9)
  echo "$flag: $((count / 1000000)) M instructions for 20 s, samples $sound"
  counts+=("$count") sounds+=("$sound")
done
grep -n 'ffloat-store' CMakeLists.txt
[ "${sounds[0]}" = "${sounds[1]}" ] || echo 'The samples differ.'
ratio=$((counts[0] * 100 / counts[1]))
echo "$ratio % of the instructions without the flag"
[ "$ratio" -ge 130 ] || { echo 'The behaviour has changed.'; exit 1; }
