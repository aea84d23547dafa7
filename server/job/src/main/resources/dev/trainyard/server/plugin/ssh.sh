# Starts an ssh server in the task, on its own address and ssh port. Variables:
#   jobssh   true: tasks of the job log in with the job's key, and find each other by ROLE-INDEX
#   keys     public keys of users who may log in too, one per line
#   barrier  maximum number of minutes to wait until all tasks of the job respond; 0: does not wait
#   alone    true: the server is not needed, so a failure to start it is ignored
#
# A task may not change its root directory, because with that capability it could leave its sandbox,
# but sshd does so when it runs as root. So sshd runs as another user ID, which has only the
# capabilities that root has in the task, and a session switches back to the task's root: see session.

fail() {
  echo "[trainyard: $1]" >&2
  [ "$alone" != true ] || exit 0
  exit 255
}

platform=/usr/local/pai
secrets=$PAI_PLUGIN_SECRETS
here=/run/pai-ssh
[ "$secrets" = "$platform/secrets" ] || fail "the ssh plugin needs a sandbox, and this server runs plain processes"
if [ ! -x /usr/sbin/sshd ]; then
  # Many job files request ssh and never use it. Fail only for a barrier or for users' keys.
  [ "$barrier" != 0 ] || [ -n "$keys" ] || alone=true
  fail "there is no sshd in this task: the machine or the image needs openssh-server"
fi
for shell in /bin/bash /usr/bin/bash /bin/sh; do [ -x "$shell" ] && break; done
umask 077
mkdir -p "$here" /run/sshd && chmod 755 /run/sshd || fail "no room for the ssh server's files"

rights=0
while read -r name value; do
  [ "$name" != CapEff: ] || rights=$value
done </proc/self/status
login=root become='' start=''
if [ $((0x$rights >> 18 & 1)) -eq 0 ]; then
  login=pai
  all=+chown,+dac_override,+fowner,+kill,+setgid,+setuid
  start="setpriv --inh-caps=$all --ambient-caps=$all --reuid=65533 --regid=0 --clear-groups"
  become='setpriv --reuid=0 --regid=0 --clear-groups --ambient-caps=-all --inh-caps=-all'
  $start true 2>/dev/null || fail "the ssh server can't be started: it needs a server that runs as root"
  grep -q '^pai:' /etc/passwd || echo "pai:x:65533:0:tasks of this job:${HOME:-/}:$shell" >>/etc/passwd
fi

# A session starts with the complete environment of the task.
unset PAI_PLUGIN_SECRETS
export -p >"$here/environment"
cat >"$here/session" <<END
#!$shell
. $here/environment
cd "\$HOME" 2>/dev/null
umask 022
if [ -n "\$SSH_ORIGINAL_COMMAND" ]; then
  exec $become $shell -c "\$SSH_ORIGINAL_COMMAND"
fi
exec $become $shell -l
END
chmod 755 "$here/session"

{
  [ "$jobssh" != true ] || cat "$platform/runtime.d/ssh_key.pub"
  printf '%s\n' "$keys"
} >"$here/authorized_keys"
sftp=/usr/lib/openssh/sftp-server
[ -x "$sftp" ] || sftp=/usr/libexec/openssh/sftp-server
cat >"$here/sshd_config" <<END
ListenAddress $PAI_CURRENT_CONTAINER_IP
Port ${PAI_CONTAINER_SSH_PORT%%,*}
HostKey $secrets/ssh_key
PidFile $here/pid
AuthorizedKeysFile $here/authorized_keys
AllowUsers $login
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
StrictModes no
UsePAM no
PrintMotd no
PrintLastLog no
MaxStartups 100
MaxSessions 100
ForceCommand $here/session
Subsystem sftp $sftp
END
# shellcheck disable=SC2086 # words
$start /usr/sbin/sshd -D -e -f "$here/sshd_config" </dev/null >"$here/log" 2>&1 &
server=$!
tries=0
until [ -s "$here/pid" ]; do
  tries=$((tries + 1))
  if ! kill -0 "$server" 2>/dev/null || [ "$tries" -gt 200 ]; then
    cat "$here/log" >&2
    fail "the ssh server did not start"
  fi
  sleep 0.05
done
[ "$jobssh" = true ] || exit 0

# The key of the job is also the host key of its servers, so no other host can impersonate one.
echo "pai-job $(cat "$platform/runtime.d/ssh_key.pub")" >"$here/known_hosts"
chmod 644 "$here/known_hosts"
mkdir -p /etc/ssh
{
  cat "$platform/runtime.d/ssh_config"
  echo "  User $login"
  echo 'Host *'
  [ ! -e /etc/ssh/ssh_config ] || cat /etc/ssh/ssh_config
} >"$here/ssh_config"
chmod 644 "$here/ssh_config"
mv "$here/ssh_config" /etc/ssh/ssh_config || fail "/etc/ssh/ssh_config can't be written"

[ "$barrier" != 0 ] || exit 0
command -v ssh >/dev/null || fail "there is no ssh in this task: the machine or the image needs openssh-client"
end=$(($(date +%s) + barrier * 60))
left=$(sed -n 's/^Host \([^ ]*\).*/\1/p' "$platform/runtime.d/ssh_config" | sort -u)
while :; do
  missing=''
  for peer in $left; do
    ssh -q -o BatchMode=yes -o ConnectTimeout=5 "$peer" true </dev/null || missing="$missing $peer"
  done
  left=$missing
  [ -n "$left" ] || break
  if [ "$(date +%s)" -ge "$end" ]; then
    echo "[trainyard: the ssh barrier timed out, there was no answer from$left]" >&2
    exit 249
  fi
  sleep 1
done
