// Uses OpenPAI's JavaScript SDK for all operations from the sign-in to the end of a job. Exits with 0 if
// all responses equal those of OpenPAI.
'use strict';
const assert = require('assert');
const http = require('http');
const { OpenPAIClient } = require('@microsoft/openpai-js-sdk').PAIV2;

const [url, adminPassword] = process.argv.slice(2);
const host = new URL(url).host;

function client(username, password) {
  return new OpenPAIClient({
    username,
    password,
    rest_server_uri: host + '/rest-server',
    https: false
  });
}

function read(path) {
  return new Promise((resolve, reject) =>
    http
      .get(url + path, response => {
        let text = '';
        response.on('data', piece => (text += piece));
        response.on('end', () => resolve({ status: response.statusCode, text }));
      })
      .on('error', reject)
  );
}

async function expectError(promise, code) {
  try {
    await promise;
  } catch (error) {
    assert.strictEqual(error.data ? error.data.code : error.code, code, String(error));
    return;
  }
  assert.fail('not refused with ' + code);
}

async function until(what, condition) {
  for (let i = 0; i < 600; i++) {
    const value = await condition();
    if (value) {
      return value;
    }
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  assert.fail('waited in vain for ' + what);
}

function job(name, command, more) {
  return Object.assign(
    {
      protocolVersion: 2,
      name,
      type: 'job',
      prerequisites: [{ name: 'image', type: 'dockerimage', uri: 'openpai/standard:python_3.6' }],
      taskRoles: {
        worker: {
          instances: 1,
          dockerImage: 'image',
          resourcePerInstance: { cpu: 1, memoryMB: 128, gpu: 0 },
          commands: [command]
        }
      }
    },
    more
  );
}

async function usersAndGroups(admin) {
  await expectError(admin.authn.basicLogin('nobody', 'some-password'), 'NoUserError');
  await expectError(admin.authn.basicLogin('admin', 'wrong-password'), 'IncorrectPasswordError');
  const made = await admin.user.createUser({
    username: 'alice',
    password: 'alice-password',
    email: 'alice@example.org',
    admin: false,
    virtualCluster: ['default'],
    extension: {}
  });
  assert.strictEqual(made.message, 'User is created successfully');
  await expectError(
    admin.user.createUser({ username: 'alice', password: 'alice-password', email: '' }),
    'ConflictUserError'
  );
  assert.deepStrictEqual((await admin.user.getAllUser()).map(user => user.username).sort(), [
    'admin',
    'alice'
  ]);
  await admin.group.createGroup({
    groupname: 'lab',
    description: 'a laboratory',
    externalName: '',
    extension: { acls: { admin: false, virtualClusters: ['default'], storageConfigs: [] } }
  });
  await admin.user.updateUserGroup('alice', 'lab');
  assert.deepStrictEqual(await admin.group.getGroupMembers('lab'), [
    { username: 'alice', clusterAdmin: false }
  ]);
  assert.deepStrictEqual(await admin.group.getGroupMembers('undefined'), []);
  assert((await admin.user.getUser('alice')).grouplist.includes('lab'));
  await admin.user.deleteUserGroup('alice', 'lab');
  await admin.user.updateUserGrouplist('alice', ['default', 'lab']);
  assert.strictEqual((await admin.group.getGroup('lab')).description, 'a laboratory');
  await admin.user.updateUser({ username: 'alice', email: 'other@example.org' });
  assert.strictEqual((await admin.user.getUser('alice')).email, 'other@example.org');
}

async function ownAccount(alice) {
  await alice.user.updateUserSelf({
    username: 'alice',
    oldPassword: 'alice-password',
    newPassword: 'alice-new-password'
  });
  await expectError(alice.authn.basicLogin('alice', 'alice-password'), 'IncorrectPasswordError');
  const again = client('alice', 'alice-new-password');
  const { token, application } = await again.token.createApplicationToken();
  assert.strictEqual(application, true);
  const program = new OpenPAIClient({ username: 'alice', token, rest_server_uri: host + '/rest-server' });
  assert(Array.isArray(await program.job.listJobs()));
  await expectError(program.token.getTokens(), 'ForbiddenUserError');
  assert((await again.token.getTokens()).tokens.length >= 2);
  assert.strictEqual((await again.token.deleteToken(token)).message, 'revoke successfully');
  await expectError(program.job.listJobs(), 'UnauthorizedUserError');
  return again;
}

async function runToEnd(alice) {
  const config = job('hello', 'echo hello from $PAI_JOB_NAME; echo oops >&2; exit 0', {
    secrets: { word: 'hidden-word' }
  });
  const accepted = await alice.job.createJob(config);
  assert.strictEqual(accepted.message, 'Update job hello for user alice successfully.');
  await expectError(alice.job.createJob(config), 'ConflictJobError');
  const done = await until('the end of hello', async () => {
    const shown = await alice.job.getJob('alice', 'hello');
    return shown.jobStatus.state === 'SUCCEEDED' && shown;
  });
  assert.strictEqual(done.jobStatus.appExitCode, 0);
  assert.strictEqual(done.taskRoles.worker.taskStatuses[0].taskState, 'SUCCEEDED');
  assert.strictEqual((await alice.job.getJob('alice', 'hello', 0)).jobStatus.attemptId, 0);
  const read_config = await alice.job.getJobConfig('alice', 'hello');
  assert.strictEqual(read_config.taskRoles.worker.commands[0], config.taskRoles.worker.commands[0]);
  assert(!JSON.stringify(read_config).includes('hidden-word'));
  const { locations } = await alice.job.getTaskLogs('alice', 'hello', 0, 'worker', 0, 0, true);
  const logs = {};
  for (const { name, uri } of locations) {
    logs[name] = await read(uri);
  }
  assert.deepStrictEqual(logs.stdout, { status: 200, text: 'hello from alice~hello\n' });
  assert.deepStrictEqual(logs.stderr, { status: 200, text: 'oops\n' });
  const task = await alice.job.getTask('alice', 'hello', 0, 'worker', 0);
  assert.strictEqual(task.attempts[0].containerExitCode, 0);
  const events = await alice.job.listEvents('alice', 'hello', { type: 'Normal' });
  assert(events.totalCount > 0 && events.data[0].reason === 'Succeeded');
  assert.strictEqual(await alice.jobHistory.getJobAttemptsHealthz('alice', 'nothing'), 'ok');
  assert.strictEqual((await alice.jobHistory.getJobAttempts('alice', 'hello')).length, 1);
  await expectError(alice.job.getJob('alice', 'nothing'), 'NoJobError');
}

async function stopAndTag(alice) {
  const running = await alice.job.createRunningJob(job('endless', 'sleep 1000'));
  assert.strictEqual(running.jobStatus.state, 'RUNNING');
  await alice.job.addTag('alice', 'endless', 'long');
  const tagged = await alice.job.listJobs({ tagsContain: 'long', withTotalCount: true });
  assert.strictEqual(tagged.totalCount, 1);
  assert.deepStrictEqual(tagged.data[0].tags, ['long']);
  await alice.job.deleteTag('alice', 'endless', 'long');
  await expectError(alice.job.deleteTag('alice', 'endless', 'long'), 'NoTagError');
  await alice.job.updateJobExecutionType('alice', 'endless', 'STOP');
  await until('the stop', async () => {
    return (await alice.job.getJob('alice', 'endless')).jobStatus.state === 'STOPPED';
  });
  const names = (await alice.job.listJobs({ order: 'jobName,ASC' })).map(item => item.name);
  assert.deepStrictEqual(names, ['endless', 'hello']);
}

async function cluster(admin, alice) {
  assert.strictEqual((await alice.api.getClusterInfo()).name, 'PAI RESTful API');
  assert((await alice.virtualCluster.listVirtualClusters()).default.resourcesTotal.cpu > 0);
  await alice.virtualCluster.getVirtualCluster('default');
  await alice.virtualCluster.getVirtualClusterSkuTypes('default');
  assert(Array.isArray((await alice.storage.getStorages()).storages));
  assert((await admin.kubernetes.getK8sNodes()).items.length > 0);
  await expectError(alice.kubernetes.getK8sPods(), 'ForbiddenUserError');
}

async function main() {
  const admin = client('admin', adminPassword);
  await usersAndGroups(admin);
  const alice = await ownAccount(client('alice', 'alice-password'));
  await runToEnd(alice);
  await stopAndTag(alice);
  await cluster(admin, alice);
  await admin.group.deleteGroup('lab');
  await admin.user.deleteUser('alice');
  await expectError(admin.user.getUser('alice'), 'NoUserError');
  console.log('all went well');
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});
