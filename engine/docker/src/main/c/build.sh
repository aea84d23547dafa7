#!/bin/sh
# Builds the first process of task containers (init) and of the root helper's container (enter) for both
# architectures into a directory. Needs gcc, and gcc-aarch64-linux-gnu for the other architecture (or gcc on
# such a host).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/../resources/dev/trainyard/engine/docker}
mkdir -p "$out"
build() {
  command -v "$2" >/dev/null || return 0
  for program in init enter; do
    "$2" -std=gnu11 -Wall -Wextra -Werror -Os -static -nostdlib -ffreestanding -fno-builtin \
      -fno-stack-protector -fno-asynchronous-unwind-tables -fno-pie -no-pie -fno-tree-loop-distribute-patterns \
      -Wl,--build-id=none -Wl,-z,noexecstack -s -o "$out/$program-$1" "$here/$program.c"
    chmod 755 "$out/$program-$1"
  done
}
case $(uname -m) in
  x86_64) build amd64 gcc; build arm64 aarch64-linux-gnu-gcc ;;
  aarch64) build arm64 gcc; build amd64 x86_64-linux-gnu-gcc ;;
esac
