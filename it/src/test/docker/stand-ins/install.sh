#!/bin/sh
# Creates git repositories of the substitutes and makes git use them instead of the originals.
set -eu
cd /tmp/stand-ins
repository() { # repository DIRECTORY NAME
  git -C "$1" init -q -b master
  git -C "$1" add -A
  git -C "$1" -c user.name=test -c user.email=test@example.org commit -q -m "stand-in"
  git clone -q --bare "$1" "/srv/git/$2"
}
mkdir -p /srv/git /workspace
repository tensorflow-models tensorflow/models
repository LeinaoPAI Leinao/LeinaoPAI.git
git config --system url.file:///srv/git/.insteadOf https://github.com/
git config --system --add safe.directory '*'
cp -R pytorch-examples /workspace/examples
rm -rf /tmp/stand-ins
