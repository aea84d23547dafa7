-- A database as Trainyard 0.1.0 left it, with tables of version 2. Never changed: newer programs must open it.
-- the local token is yNNQVcw4IomfmyJMC20RR5x8vh78ziJEAU2zHh96mhg

create table users (
  id text primary key,
  name text not null unique,
  -- lower case; Alice and alice are one name
  name_key text not null unique,
  password text not null,
  admin int not null,
  disabled int not null,
  id_range int not null unique,
  created bigint not null
);

create table counter (
  name text primary key,
  next_value bigint not null
);


create table token (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  -- SHA-256 in hexadecimal; the token itself is nowhere
  hash text not null unique,
  -- session | local
  kind text not null,
  created bigint not null,
  -- null for one that does not expire
  expires bigint,
  last_used bigint not null
);

create index token_user on token (user_id);
create index token_expires on token (expires);


create table job (
  id text primary key,
  -- grows with every change; who changes a job names the version that was read
  version bigint not null,
  user_id text not null,
  user_name text not null,
  name text not null,
  state text not null,
  format text not null,
  image text not null,
  virtual_cluster text not null,
  -- of all tasks together
  cpus bigint not null,
  memory_mb bigint not null,
  devices bigint not null,
  task_count int not null,
  -- the newest attempt, 0 before the first
  attempt int not null,
  submitted bigint not null,
  started bigint,
  ended bigint,
  exit_code int,
  stop_cause text,
  stopped_by text,
  -- how it ended; why it waits is never stored
  reason_code text,
  reason_params text,
  unique (user_id, name)
);

create index job_state on job (state, id);
create index job_owner_state on job (user_id, state, id);
create index job_name on job (name, id);

create table job_owner (
  user_id text primary key,
  user_name text not null
);

create index job_owner_name on job_owner (user_name);

create table job_config (
  job_id text primary key references job (id) on delete cascade,
  -- as it was submitted
  raw text not null,
  -- as it was understood, in JSON
  spec text not null,
  -- what the submitter was warned of, in JSON
  warnings text not null
);

create table attempt (
  job_id text not null references job (id) on delete cascade,
  number int not null,
  created bigint not null,
  started bigint,
  ended bigint,
  -- 1 or 0 once its end is decided, though tasks may still be ending
  succeeded int,
  exit_code int,
  reason_code text,
  reason_params text,
  primary key (job_id, number)
);

create table task (
  job_id text not null references job (id) on delete cascade,
  attempt int not null,
  role text not null,
  task_index int not null,
  state text not null,
  node text not null,
  -- indices of its cards, by comma
  devices text not null,
  started bigint,
  ended bigint,
  -- the order in which the tasks of an attempt ended, from 1
  end_order int,
  exit_code int,
  exit_reason text,
  detail text,
  primary key (job_id, attempt, role, task_index)
);

create table "flyway_schema_history" (
  "installed_rank" int not null primary key,
  "version" varchar(50),
  "description" varchar(200) not null,
  "type" varchar(20) not null,
  "script" varchar(1000) not null,
  "checksum" int,
  "installed_by" varchar(100) not null,
  "installed_on" text not null default (strftime('%Y-%m-%d %H:%M:%f','now')),
  "execution_time" int not null,
  "success" boolean not null
);
create index "flyway_schema_history_s_idx" on "flyway_schema_history" ("success");
insert into counter (name, next_value) values ('id_range', 3);
insert into job (id, version, user_id, user_name, name, state, format, image, virtual_cluster, cpus, memory_mb, devices, task_count, attempt, submitted, started, ended, exit_code, stop_cause, stopped_by, reason_code, reason_params) values ('01HF7YAT000K2CS3TDB432TBWQ', 4, 'u1', 'alice', 'done', 'SUCCEEDED', 'openpai-v1', 'none', 'default', 1, 256, 0, 1, 1, 1700000000000, 1700000000000, 1700000000000, 0, null, null, 'end.succeeded', '{}');
insert into job (id, version, user_id, user_name, name, state, format, image, virtual_cluster, cpus, memory_mb, devices, task_count, attempt, submitted, started, ended, exit_code, stop_cause, stopped_by, reason_code, reason_params) values ('01HF7YAT000K2CS3TDB432TBWR', 5, 'u1', 'alice', 'failed', 'FAILED', 'openpai-v1', 'none', 'default', 2, 512, 0, 2, 1, 1700000000000, 1700000000000, 1700000000000, 3, 'COMPLETION', null, 'end.exit-code.task', '{"exitCode":3,"task":"main-0"}');
insert into job (id, version, user_id, user_name, name, state, format, image, virtual_cluster, cpus, memory_mb, devices, task_count, attempt, submitted, started, ended, exit_code, stop_cause, stopped_by, reason_code, reason_params) values ('01HF7YAT000K2CS3TDB432TBWS', 3, 'u1', 'alice', 'running', 'RUNNING', 'openpai-v1', 'none', 'default', 1, 256, 0, 1, 1, 1700000000000, 1700000000000, null, null, null, null, null, null);
insert into job (id, version, user_id, user_name, name, state, format, image, virtual_cluster, cpus, memory_mb, devices, task_count, attempt, submitted, started, ended, exit_code, stop_cause, stopped_by, reason_code, reason_params) values ('01HF7YAT000K2CS3TDB432TBWT', 1, 'u1', 'alice', 'waiting', 'WAITING', 'openpai-v1', 'none', 'default', 99, 256, 0, 1, 0, 1700000000000, null, null, null, null, null, null, null);
insert into job (id, version, user_id, user_name, name, state, format, image, virtual_cluster, cpus, memory_mb, devices, task_count, attempt, submitted, started, ended, exit_code, stop_cause, stopped_by, reason_code, reason_params) values ('01HF7YAT000K2CS3TDB432TBWV', 2, 'u1', 'alice', 'stopped', 'STOPPED', 'openpai-v1', 'none', 'default', 99, 256, 0, 1, 0, 1700000000000, null, 1700000000000, null, 'USER', 'alice', 'end.stopped-by', '{"user":"alice"}');
insert into job_config (job_id, raw, spec, warnings) values ('01HF7YAT000K2CS3TDB432TBWQ', '{"jobName": "done", "image": "none", "taskRoles": [
  {"name": "main", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 256, "gpuNumber": 0, "command": "true"}]}
', '{"format":"OPENPAI_V1","name":"done","image":"none","virtualCluster":"default","retryCount":0,"dataDir":"","outputDir":"","codeDir":"","authFile":"","environment":{},"keepFailed":0,"roles":[{"name":"main","taskCount":1,"resources":{"cpus":1,"memory":{"bytes":268435456},"sharedMemory":{"bytes":67108864},"devices":0,"deviceType":""},"ports":[],"command":"true","minFailed":1,"minSucceeded":0}]}', '[]');
insert into job_config (job_id, raw, spec, warnings) values ('01HF7YAT000K2CS3TDB432TBWR', '{"jobName": "failed", "image": "none", "taskRoles": [
  {"name": "main", "taskNumber": 2, "cpuNumber": 1, "memoryMB": 256, "gpuNumber": 0, "command": "true"}]}
', '{"format":"OPENPAI_V1","name":"failed","image":"none","virtualCluster":"default","retryCount":0,"dataDir":"","outputDir":"","codeDir":"","authFile":"","environment":{},"keepFailed":0,"roles":[{"name":"main","taskCount":2,"resources":{"cpus":1,"memory":{"bytes":268435456},"sharedMemory":{"bytes":67108864},"devices":0,"deviceType":""},"ports":[],"command":"true","minFailed":1,"minSucceeded":0}]}', '[{"path":"taskRoles","message":{"code":"notice.no-peers","params":{}},"line":0,"column":0}]');
insert into job_config (job_id, raw, spec, warnings) values ('01HF7YAT000K2CS3TDB432TBWS', '{"jobName": "running", "image": "none", "taskRoles": [
  {"name": "main", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 256, "gpuNumber": 0, "command": "true"}]}
', '{"format":"OPENPAI_V1","name":"running","image":"none","virtualCluster":"default","retryCount":0,"dataDir":"","outputDir":"","codeDir":"","authFile":"","environment":{},"keepFailed":0,"roles":[{"name":"main","taskCount":1,"resources":{"cpus":1,"memory":{"bytes":268435456},"sharedMemory":{"bytes":67108864},"devices":0,"deviceType":""},"ports":[],"command":"true","minFailed":1,"minSucceeded":0}]}', '[]');
insert into job_config (job_id, raw, spec, warnings) values ('01HF7YAT000K2CS3TDB432TBWT', '{"jobName": "waiting", "image": "none", "taskRoles": [
  {"name": "main", "taskNumber": 1, "cpuNumber": 99, "memoryMB": 256, "gpuNumber": 0, "command": "true"}]}
', '{"format":"OPENPAI_V1","name":"waiting","image":"none","virtualCluster":"default","retryCount":0,"dataDir":"","outputDir":"","codeDir":"","authFile":"","environment":{},"keepFailed":0,"roles":[{"name":"main","taskCount":1,"resources":{"cpus":99,"memory":{"bytes":268435456},"sharedMemory":{"bytes":67108864},"devices":0,"deviceType":""},"ports":[],"command":"true","minFailed":1,"minSucceeded":0}]}', '[]');
insert into job_config (job_id, raw, spec, warnings) values ('01HF7YAT000K2CS3TDB432TBWV', '{"jobName": "stopped", "image": "none", "taskRoles": [
  {"name": "main", "taskNumber": 1, "cpuNumber": 99, "memoryMB": 256, "gpuNumber": 0, "command": "echo 训练 ''quoted'' \\ done"}]}
', '{"format":"OPENPAI_V1","name":"stopped","image":"none","virtualCluster":"default","retryCount":0,"dataDir":"","outputDir":"","codeDir":"","authFile":"","environment":{},"keepFailed":0,"roles":[{"name":"main","taskCount":1,"resources":{"cpus":99,"memory":{"bytes":268435456},"sharedMemory":{"bytes":67108864},"devices":0,"deviceType":""},"ports":[],"command":"echo 训练 ''quoted'' \\ done","minFailed":1,"minSucceeded":0}]}', '[]');
insert into job_owner (user_id, user_name) values ('u1', 'alice');
insert into task (job_id, attempt, role, task_index, state, node, devices, started, ended, end_order, exit_code, exit_reason, detail) values ('01HF7YAT000K2CS3TDB432TBWQ', 1, 'main', 0, 'ENDED', 'box', '', 1700000000000, 1700000000000, 1, 0, 'SUCCEEDED', '');
insert into task (job_id, attempt, role, task_index, state, node, devices, started, ended, end_order, exit_code, exit_reason, detail) values ('01HF7YAT000K2CS3TDB432TBWR', 1, 'main', 0, 'ENDED', 'box', '', 1700000000000, 1700000000000, 1, 3, 'COMMAND_FAILED', '');
insert into task (job_id, attempt, role, task_index, state, node, devices, started, ended, end_order, exit_code, exit_reason, detail) values ('01HF7YAT000K2CS3TDB432TBWR', 1, 'main', 1, 'ENDED', 'box', '', 1700000000000, 1700000000000, 2, 0, 'SUCCEEDED', '');
insert into task (job_id, attempt, role, task_index, state, node, devices, started, ended, end_order, exit_code, exit_reason, detail) values ('01HF7YAT000K2CS3TDB432TBWS', 1, 'main', 0, 'RUNNING', 'box', '', 1700000000000, null, null, null, null, null);
insert into users (id, name, name_key, password, admin, disabled, id_range, created) values ('01HF7YAT00B11M7528H0ZGTWYA', 'admin', 'admin', '$argon2id$v=19$m=19456,t=2,p=1$UGPiyCMrv2WOJtaKoDEOxw$vfBhCJfO5/w+QcpUwwfFwtec2Gj2SenXfSo5PzYhhGQ', 1, 0, 1, 1700000000000);
insert into users (id, name, name_key, password, admin, disabled, id_range, created) values ('01HF7YAT00B11M7528H0ZGTWYB', 'alice', 'alice', '$argon2id$v=19$m=19456,t=2,p=1$ZQhzn9e41NbFTkYl74bPKQ$515nbpNUKDkpVqx60L2fI3KT1lClVFoai+cj673O7dg', 0, 0, 2, 1700000000000);
insert into attempt (job_id, number, created, started, ended, succeeded, exit_code, reason_code, reason_params) values ('01HF7YAT000K2CS3TDB432TBWQ', 1, 1700000000000, 1700000000000, 1700000000000, 1, 0, 'end.succeeded', '{}');
insert into attempt (job_id, number, created, started, ended, succeeded, exit_code, reason_code, reason_params) values ('01HF7YAT000K2CS3TDB432TBWR', 1, 1700000000000, 1700000000000, 1700000000000, 0, 3, 'end.exit-code.task', '{"exitCode":3,"task":"main-0"}');
insert into attempt (job_id, number, created, started, ended, succeeded, exit_code, reason_code, reason_params) values ('01HF7YAT000K2CS3TDB432TBWS', 1, 1700000000000, 1700000000000, null, null, null, null, null);
insert into token (id, user_id, hash, kind, created, expires, last_used) values ('01HF7YAT003H0SVVDGRBRRXP4H', '01HF7YAT00B11M7528H0ZGTWYA', '4b5938097920297674d304006ea69bddec9ab4067c3954790ac3230cbd79d02b', 'local', 1700000000000, null, 1700000000000);
insert into flyway_schema_history values (1, '1', 'users', 'SQL', 'V1__users.sql', -2132250303, '', '2026-11-16 02:09:22.021', 4, 1);
insert into flyway_schema_history values (2, '2', 'jobs', 'SQL', 'V2__jobs.sql', -995733727, '', '2026-11-16 02:09:22.047', 2, 1);
