#!/bin/sh
echo "$GREETING from $(pwd), with $(cat "$MODEL_DIR/name.txt")"
