# Takes the commands that people run in a task beside its own. What is started here has by birth
# exactly the task's credentials, limits, namespaces and directories.
#
# usage: a part of launch.sh, where begin COMMAND... goes on as the command with the task's variables.
#   launch.sh         listens in the background, before anything of the user's has run
#   launch.sh -       does not: the supervisor listens, and has begun the task
#   launch.sh NAME    is started by it for one command, the same way as the task itself
# exec/request gets the name of a directory per command, which contains
#   run.sh    goes on as the command
#   code      gets "started PID", then the exit code
#   in, out, err  the command's streams, or, for a terminal, in says which

# A shell makes what it starts in the background deaf for Ctrl-C; env can undo that.
answer() {
  env --default-signal true 2>/dev/null && signals=--default-signal
  here=/usr/local/pai/exec/$1
  exec 3>"$here/code" </dev/null
  # shellcheck source=/dev/null
  (. "$here/run.sh")
  echo "$?" >&3
}

listen() {
  while read -r name; do
    case $name in '' | *[!0-9a-f]*) continue ;; esac
    # Twice, so that it is the first process that buries it.
    (answer "$name" &)
  done
}

case ${1-} in
  '') (listen <>/usr/local/pai/exec/request >/dev/null 2>&1 &) ;;
  -) ;;
  *)
    answer "$1"
    exit
    ;;
esac
