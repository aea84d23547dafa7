# Starts TensorBoard in the background, on the task's own address. Variables: port, empty for the
# task's http port; several, 1 if there is more than one directory; logdir, a path, or name:path,….

[ "$PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX" = 0 ] || exit 0
command -v tensorboard >/dev/null || {
  echo "[trainyard: there is no tensorboard in this task: pip install tensorboard]" >&2
  exit 127
}
option=--logdir
if [ "$several" = 1 ]; then
  # Up to version 1, --logdir accepts names; later versions have a separate option for them.
  case $(tensorboard --version_tb 2>/dev/null) in 1.*) ;; *) option=--logdir_spec ;; esac
fi
port=${port:-$PAI_CONTAINER_HOST_PORT}
echo "[trainyard: tensorboard listens on $PAI_CURRENT_CONTAINER_IP:$port]" >&2
tensorboard "$option=$logdir" --host="$PAI_CURRENT_CONTAINER_IP" --port="$port" </dev/null >&2 &
