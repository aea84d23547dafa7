# Runs the additional commands that users start in a task. A process started here inherits exactly the task's
# credentials, limits, namespaces and directories.
#
# usage: a part of launch.sh, where begin COMMAND... executes the command with the task's variables.
#   launch.sh         listens in the background, started before any user code
#   launch.sh -       does not listen, because the supervisor listens and reported the start
#   launch.sh NAME    is started by the supervisor for one command, in the same way as the task
# exec/request receives a line for each command with the name of a directory that contains
#   run.sh    executes the command
#   code      receives "started PID", then the exit code
#   in, out, err  the command's streams; for a terminal, in provides its path

# A shell makes background processes ignore SIGINT (Ctrl-C); env can undo that.
run_command() {
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
    # Forks twice, so that the first process of the namespace becomes the parent of the command and reaps it.
    (run_command "$name" &)
  done
}

case ${1-} in
  '') (listen <>/usr/local/pai/exec/request >/dev/null 2>&1 &) ;;
  -) ;;
  *)
    run_command "$1"
    exit
    ;;
esac
