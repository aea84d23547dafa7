-- A database as the release with tables of version 23 left it: two jobs run, two wait. Never changed: newer
-- programs must open it. @NODE@ is the name of the node.
BEGIN TRANSACTION;
CREATE TABLE announcement (
  id text  primary key,
  title text not null,
  body text not null,
  -- info | warning | critical
  level text  not null,
  -- shown from here on, and until then; null for ever
  starts bigint not null,
  ends bigint,
  user_name text not null,
  created bigint not null
);
CREATE TABLE attempt (
  job_id text  not null references job (id) on delete cascade,
  number int not null,
  created bigint not null,
  started bigint,
  ended bigint,
  -- 1 or 0 once its end is decided, though tasks may still be ending
  succeeded int,
  exit_code int,
  reason_code text,
  reason_params text, cause text not null default 'FIRST', stop_cause text, stopped_by text, diagnosis text,
  primary key (job_id, number)
);
INSERT INTO "attempt" VALUES('01M7NZZFHRZ4SZ64F08HM5YQ3V',1,1794960771523,1794960774594,NULL,NULL,NULL,NULL,NULL,'FIRST',NULL,NULL,NULL);
INSERT INTO "attempt" VALUES('01M7NZZHBKDS9P2ZB812AW0MZ4',1,1794960771678,1794960774532,NULL,NULL,NULL,NULL,NULL,'FIRST',NULL,NULL,NULL);
CREATE TABLE audit (
  -- a ULID, so the order of ids is that of time
  id text  primary key,
  happened bigint not null,
  -- empty where nobody was signed in
  user_id text  not null,
  user_name text  not null,
  token_id text  not null,
  address text not null,
  action text  not null,
  target text  not null,
  -- JSON, or empty
  before_values text not null,
  after_values text not null
);
INSERT INTO "audit" VALUES('01M7NZZ0W842A84P14DG9ZG8XR',1794960753544,'','(system)','','','user.create','user:admin','','{"id":"01M7NZZ09DH9EPDZTMSMHD5358","admin":true,"disabled":false}');
CREATE TABLE capability_grant (
  user_id text  references users (id) on delete cascade,
  virtual_cluster text  references virtual_cluster (name) on delete cascade,
  capability text  not null,
  -- the name of who granted it
  granted_by text not null,
  granted bigint not null
);
CREATE TABLE catalogue_image (
  name text  primary key,
  reference text not null,
  description text not null,
  framework text not null,
  -- in JSON
  tags text not null,
  -- PROPOSED | APPROVED | REFUSED
  state text  not null,
  proposer_id text  not null,
  proposer text not null,
  -- what an administrator said to it
  note text not null,
  changed bigint not null
, image_id text  not null default '', fixed int not null default 0);
CREATE TABLE cordon (
  node text  primary key,
  -- the name of whoever did it
  user_name text not null,
  reason text not null,
  created bigint not null
);
CREATE TABLE counter (
  name text  primary key,
  next_value bigint not null
);
INSERT INTO "counter" VALUES('id_range',2);
CREATE TABLE earlier_run (
  job_id text  not null references job (id) on delete cascade,
  attempt int not null,
  role text  not null,
  task_index int not null,
  retry int not null,
  node text not null,
  devices text not null,
  ports text not null,
  address text,
  started bigint,
  ended bigint not null,
  exit_code int not null,
  exit_reason text not null,
  detail text not null,
  -- why the task is tried again, when, and what is remembered for the time after
  cause text not null,
  not_before bigint,
  back_off bigint not null,
  counted int not null,
  faults int not null,
  conflicts int not null, engine text not null default 'process',
  primary key (job_id, attempt, role, task_index, retry)
);
CREATE TABLE event (
  id integer primary key autoincrement,
  job_id text  not null references job (id) on delete cascade,
  -- the owner of the job, who may see it
  user_id text  not null,
  happened bigint not null,
  type text not null,
  -- 1 for what somebody should look at
  warning int not null,
  -- the newest attempt at that time, 0 before the first
  attempt int not null,
  -- only of an event of a single task
  role text,
  task_index int,
  code text not null,
  params text not null
);
INSERT INTO "event" VALUES(1,'01M7NZZFHRZ4SZ64F08HM5YQ3V','01M7NZZ09DH9EPDZTMSMHD5358',1794960768650,'SUBMITTED',0,0,NULL,NULL,'event.submitted','{"user":"admin"}');
INSERT INTO "event" VALUES(2,'01M7NZZHBKDS9P2ZB812AW0MZ4','01M7NZZ09DH9EPDZTMSMHD5358',1794960770425,'SUBMITTED',0,0,NULL,NULL,'event.submitted','{"user":"admin"}');
INSERT INTO "event" VALUES(3,'01M7NZZHXVHJCRG7VC5CSZ4TP1','01M7NZZ09DH9EPDZTMSMHD5358',1794960771004,'SUBMITTED',0,0,NULL,NULL,'event.submitted','{"user":"admin"}');
INSERT INTO "event" VALUES(4,'01M7NZZFHRZ4SZ64F08HM5YQ3V','01M7NZZ09DH9EPDZTMSMHD5358',1794960771505,'PREPARING',0,1,NULL,NULL,'event.preparing','{"attempt":1}');
INSERT INTO "event" VALUES(5,'01M7NZZHBKDS9P2ZB812AW0MZ4','01M7NZZ09DH9EPDZTMSMHD5358',1794960771633,'PREPARING',0,1,NULL,NULL,'event.preparing','{"attempt":1}');
INSERT INTO "event" VALUES(6,'01M7NZZJT3P56861543PF0EWSJ','01M7NZZ09DH9EPDZTMSMHD5358',1794960771915,'SUBMITTED',0,0,NULL,NULL,'event.submitted','{"user":"admin"}');
INSERT INTO "event" VALUES(7,'01M7NZZJT3P56861543PF0EWSJ','01M7NZZ09DH9EPDZTMSMHD5358',1794960771915,'WARNING',1,0,NULL,NULL,'event.warning','{"path":"extras.storages[0]","text":{"code":"jobfile.storage-own","params":{"name":"disk","path":"/mnt/disk"}}}');
INSERT INTO "event" VALUES(8,'01M7NZZHBKDS9P2ZB812AW0MZ4','01M7NZZ09DH9EPDZTMSMHD5358',1794960774607,'RUNNING',0,1,NULL,NULL,'event.running','{"attempt":1,"tasks":1}');
INSERT INTO "event" VALUES(9,'01M7NZZFHRZ4SZ64F08HM5YQ3V','01M7NZZ09DH9EPDZTMSMHD5358',1794960774637,'RUNNING',0,1,NULL,NULL,'event.running','{"attempt":1,"tasks":1}');
INSERT INTO "event" VALUES(10,'01M7NZZJT3P56861543PF0EWSJ','01M7NZZ09DH9EPDZTMSMHD5358',1794960779919,'WAITING',0,0,NULL,NULL,'event.waiting','{"reason":{"code":"wait.cpus","params":{"cpus":1,"freeCpus":0,"totalCpus":2,"ahead":1}}}');
INSERT INTO "event" VALUES(11,'01M7NZZHXVHJCRG7VC5CSZ4TP1','01M7NZZ09DH9EPDZTMSMHD5358',1794960779919,'WAITING',0,0,NULL,NULL,'event.waiting','{"reason":{"code":"wait.cpus","params":{"cpus":1,"freeCpus":0,"totalCpus":2,"ahead":0}}}');
CREATE TABLE "flyway_schema_history" (
    "installed_rank" INT NOT NULL PRIMARY KEY,
    "version" VARCHAR(50),
    "description" VARCHAR(200) NOT NULL,
    "type" VARCHAR(20) NOT NULL,
    "script" VARCHAR(1000) NOT NULL,
    "checksum" INT,
    "installed_by" VARCHAR(100) NOT NULL,
    "installed_on" TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
    "execution_time" INT NOT NULL,
    "success" BOOLEAN NOT NULL
);
INSERT INTO "flyway_schema_history" VALUES(1,'1','users','SQL','V1__users.sql',-2132250303,'','2026-11-18 00:12:25.104',28,1);
INSERT INTO "flyway_schema_history" VALUES(2,'2','jobs','SQL','V2__jobs.sql',-995733727,'','2026-11-18 00:12:25.483',111,1);
INSERT INTO "flyway_schema_history" VALUES(3,'3','attempts','SQL','V3__attempts.sql',-1953601065,'','2026-11-18 00:12:25.606',86,1);
INSERT INTO "flyway_schema_history" VALUES(4,'4','retention','SQL','V4__retention.sql',190045224,'','2026-11-18 00:12:25.719',25,1);
INSERT INTO "flyway_schema_history" VALUES(5,'5','diagnosis','SQL','V5__diagnosis.sql',1075288048,'','2026-11-18 00:12:25.872',72,1);
INSERT INTO "flyway_schema_history" VALUES(6,'6','events','SQL','V6__events.sql',-1444534468,'','2026-11-18 00:12:26.031',125,1);
INSERT INTO "flyway_schema_history" VALUES(7,'7','secrets','SQL','V7__secrets.sql',-1529198420,'','2026-11-18 00:12:26.199',0,1);
INSERT INTO "flyway_schema_history" VALUES(8,'8','deletions','SQL','V8__deletions.sql',-1134560841,'','2026-11-18 00:12:26.309',1,1);
INSERT INTO "flyway_schema_history" VALUES(9,'9','people','SQL','V9__people.sql',-419525230,'','2026-11-18 00:12:26.473',59,1);
INSERT INTO "flyway_schema_history" VALUES(10,'10','teams','SQL','V10__teams.sql',-1260197305,'','2026-11-18 00:12:26.627',34,1);
INSERT INTO "flyway_schema_history" VALUES(11,'11','openpai','SQL','V11__openpai.sql',-693695241,'','2026-11-18 00:12:26.709',44,1);
INSERT INTO "flyway_schema_history" VALUES(12,'12','task retries','SQL','V12__task_retries.sql',-947292046,'','2026-11-18 00:12:26.879',45,1);
INSERT INTO "flyway_schema_history" VALUES(13,'13','oidc','SQL','V13__oidc.sql',1742758474,'','2026-11-18 00:12:26.987',1,1);
INSERT INTO "flyway_schema_history" VALUES(14,'14','images','SQL','V14__images.sql',-1507109065,'','2026-11-18 00:12:27.274',126,1);
INSERT INTO "flyway_schema_history" VALUES(15,'15','task engine','SQL','V15__task_engine.sql',816768086,'','2026-11-18 00:12:27.320',1,1);
INSERT INTO "flyway_schema_history" VALUES(16,'16','capabilities','SQL','V16__capabilities.sql',-1998187886,'','2026-11-18 00:12:27.360',1,1);
INSERT INTO "flyway_schema_history" VALUES(17,'17','image builds','SQL','V17__image_builds.sql',889679724,'','2026-11-18 00:12:27.369',0,1);
INSERT INTO "flyway_schema_history" VALUES(18,'18','cordons','SQL','V18__cordons.sql',1379399148,'','2026-11-18 00:12:27.485',0,1);
INSERT INTO "flyway_schema_history" VALUES(19,'19','announcements','SQL','V19__announcements.sql',1812469116,'','2026-11-18 00:12:27.559',37,1);
INSERT INTO "flyway_schema_history" VALUES(20,'20','templates','SQL','V20__templates.sql',-897368707,'','2026-11-18 00:12:27.668',3,1);
INSERT INTO "flyway_schema_history" VALUES(21,'21','shared jobs','SQL','V21__shared_jobs.sql',2070916045,'','2026-11-18 00:12:27.697',1,1);
INSERT INTO "flyway_schema_history" VALUES(22,'22','approved images','SQL','V22__approved_images.sql',1922161356,'','2026-11-18 00:12:27.753',2,1);
INSERT INTO "flyway_schema_history" VALUES(23,'23','past private images','SQL','V23__past_private_images.sql',-523959048,'','2026-11-18 00:12:27.761',1,1);
CREATE TABLE group_grant (
  group_name text  not null references team_group (name) on delete cascade,
  -- vc | storage
  kind text  not null,
  name text  not null,
  -- in which order somebody wrote them down
  position int not null,
  primary key (group_name, kind, name)
);
INSERT INTO "group_grant" VALUES('default','vc','default',0);
CREATE TABLE group_member (
  group_name text  not null references team_group (name) on delete cascade,
  user_id text  not null references users (id) on delete cascade, told_by text,
  primary key (group_name, user_id)
);
INSERT INTO "group_member" VALUES('default','01M7NZZ09DH9EPDZTMSMHD5358',NULL);
INSERT INTO "group_member" VALUES('admingroup','01M7NZZ09DH9EPDZTMSMHD5358',NULL);
CREATE TABLE identity (
  -- who vouches
  issuer text  not null,
  -- what they call the person, for good
  subject text  not null,
  user_id text  not null references users (id) on delete cascade,
  created bigint not null,
  primary key (issuer, subject)
);
CREATE TABLE image_build (
  job_id text  primary key references job (id) on delete cascade,
  -- of the image, completed
  reference text not null,
  -- 1 if it is sent to the registry that its name says
  push int not null,
  -- 1 if who asked for it was an administrator then, who may choose any name
  admin int not null,
  dockerfile text not null,
  -- given to the build, in JSON
  arguments text not null,
  -- the name of the directory with its files, below builds
  directory text  not null
);
CREATE TABLE invitation (
  id text  primary key,
  -- SHA-256 in hexadecimal; the code itself is nowhere
  hash text  not null unique,
  note text not null,
  -- names of groups, in JSON
  group_names text not null,
  uses int not null,
  uses_left int not null,
  created bigint not null,
  created_by text not null,
  -- null for one that does not expire
  expires bigint,
  revoked int not null
);
CREATE TABLE job (
  id text  primary key,
  -- grows with every change; who changes a job names the version that was read
  version bigint not null,
  user_id text  not null,
  user_name text  not null,
  name text  not null,
  state text  not null,
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
  reason_params text, not_before bigint, back_off bigint not null default 0, retries int not null default 0, faults int not null default 0, cause text not null default 'FIRST', stop_grace bigint, conflicts int not null default 0, task_retries text not null default '{}', priority text, role_count int not null default 1, search text  not null default '',
  unique (user_id, name)
);
INSERT INTO "job" VALUES('01M7NZZFHRZ4SZ64F08HM5YQ3V',3,'01M7NZZ09DH9EPDZTMSMHD5358','admin','run-a','RUNNING','openpai-v1','x','default',1,100,0,1,1,1794960768650,1794960774594,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,0,0,'FIRST',NULL,0,'{}',NULL,1,'admin/run-a/default');
INSERT INTO "job" VALUES('01M7NZZHBKDS9P2ZB812AW0MZ4',3,'01M7NZZ09DH9EPDZTMSMHD5358','admin','run-b','RUNNING','openpai-v1','x','default',1,100,0,1,1,1794960770425,1794960774532,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,0,0,'FIRST',NULL,0,'{}',NULL,1,'admin/run-b/default');
INSERT INTO "job" VALUES('01M7NZZHXVHJCRG7VC5CSZ4TP1',1,'01M7NZZ09DH9EPDZTMSMHD5358','admin','run-c','WAITING','openpai-v1','x','default',1,100,0,1,0,1794960771004,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,0,0,'FIRST',NULL,0,'{}',NULL,1,'admin/run-c/default');
INSERT INTO "job" VALUES('01M7NZZJT3P56861543PF0EWSJ',1,'01M7NZZ09DH9EPDZTMSMHD5358','admin','stor','WAITING','openpai-v2','x','default',1,100,0,1,0,1794960771915,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,0,0,'FIRST',NULL,0,'{}',NULL,1,'admin/stor/default');
CREATE TABLE job_config (
  job_id text  primary key references job (id) on delete cascade,
  -- as it was submitted
  raw text not null,
  -- as it was understood, in JSON
  spec text not null,
  -- what the submitter was warned of, in JSON
  warnings text not null
);
INSERT INTO "job_config" VALUES('01M7NZZFHRZ4SZ64F08HM5YQ3V','{"jobName":"run-a","image":"x","taskRoles":[{"name":"main","taskNumber":1,"memoryMB":100,"command":"echo begin; cat /gdata/set; echo home > /userhome/file-a; while [ ! -e /userhome/go-a ]; do sleep 0.2; done; cat /userhome/file-a /gdata/set; echo end; exit 3"}]}','{"format":"OPENPAI_V1","name":"run-a","image":"x","virtualCluster":"default","retryCount":0,"dataDir":"","outputDir":"","codeDir":"","authFile":"","environment":{},"keepFailed":0,"stopGrace":0,"roles":[{"name":"main","taskCount":1,"resources":{"cpus":1,"memory":{"bytes":104857600},"sharedMemory":{"bytes":67108864},"devices":0,"deviceType":""},"ports":[],"command":"echo begin; cat /gdata/set; echo home > /userhome/file-a; while [ ! -e /userhome/go-a ]; do sleep 0.2; done; cat /userhome/file-a /gdata/set; echo end; exit 3","minFailed":1,"minSucceeded":0,"image":"","taskRetryCount":0,"infiniband":false,"prerequisites":{"image":"","script":"","data":"","output":"","others":[]},"usualSharedMemory":false}],"prerequisites":[],"parameters":{},"extras":{"submitFrom":"","gangAllocation":true,"defaultStorages":false,"storages":[],"priorityClass":"","hivedScheduler":{},"notifications":[],"plugins":[],"capabilities":[],"imageBuild":false}}','[]');
INSERT INTO "job_config" VALUES('01M7NZZHBKDS9P2ZB812AW0MZ4','{"jobName":"run-b","image":"x","taskRoles":[{"name":"main","taskNumber":1,"memoryMB":100,"command":"echo begin; cat /gdata/set; echo home > /userhome/file-b; while [ ! -e /userhome/go-b ]; do sleep 0.2; done; cat /userhome/file-b /gdata/set; echo end; exit 3"}]}','{"format":"OPENPAI_V1","name":"run-b","image":"x","virtualCluster":"default","retryCount":0,"dataDir":"","outputDir":"","codeDir":"","authFile":"","environment":{},"keepFailed":0,"stopGrace":0,"roles":[{"name":"main","taskCount":1,"resources":{"cpus":1,"memory":{"bytes":104857600},"sharedMemory":{"bytes":67108864},"devices":0,"deviceType":""},"ports":[],"command":"echo begin; cat /gdata/set; echo home > /userhome/file-b; while [ ! -e /userhome/go-b ]; do sleep 0.2; done; cat /userhome/file-b /gdata/set; echo end; exit 3","minFailed":1,"minSucceeded":0,"image":"","taskRetryCount":0,"infiniband":false,"prerequisites":{"image":"","script":"","data":"","output":"","others":[]},"usualSharedMemory":false}],"prerequisites":[],"parameters":{},"extras":{"submitFrom":"","gangAllocation":true,"defaultStorages":false,"storages":[],"priorityClass":"","hivedScheduler":{},"notifications":[],"plugins":[],"capabilities":[],"imageBuild":false}}','[]');
INSERT INTO "job_config" VALUES('01M7NZZHXVHJCRG7VC5CSZ4TP1','{"jobName":"run-c","image":"x","taskRoles":[{"name":"main","taskNumber":1,"memoryMB":100,"command":"echo begin; cat /gdata/set; echo home > /userhome/file-c; while [ ! -e /userhome/go-c ]; do sleep 0.2; done; cat /userhome/file-c /gdata/set; echo end; exit 3"}]}','{"format":"OPENPAI_V1","name":"run-c","image":"x","virtualCluster":"default","retryCount":0,"dataDir":"","outputDir":"","codeDir":"","authFile":"","environment":{},"keepFailed":0,"stopGrace":0,"roles":[{"name":"main","taskCount":1,"resources":{"cpus":1,"memory":{"bytes":104857600},"sharedMemory":{"bytes":67108864},"devices":0,"deviceType":""},"ports":[],"command":"echo begin; cat /gdata/set; echo home > /userhome/file-c; while [ ! -e /userhome/go-c ]; do sleep 0.2; done; cat /userhome/file-c /gdata/set; echo end; exit 3","minFailed":1,"minSucceeded":0,"image":"","taskRetryCount":0,"infiniband":false,"prerequisites":{"image":"","script":"","data":"","output":"","others":[]},"usualSharedMemory":false}],"prerequisites":[],"parameters":{},"extras":{"submitFrom":"","gangAllocation":true,"defaultStorages":false,"storages":[],"priorityClass":"","hivedScheduler":{},"notifications":[],"plugins":[],"capabilities":[],"imageBuild":false}}','[]');
INSERT INTO "job_config" VALUES('01M7NZZJT3P56861543PF0EWSJ','protocolVersion: 2
name: stor
type: job
prerequisites: [{name: i, type: dockerimage, uri: x}]
taskRoles: {main: {instances: 1, dockerImage: i, resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}, commands: ["echo kept > /mnt/disk/f; while [ ! -e /userhome/go-s ]; do sleep 0.2; done; cat /mnt/disk/f"]}}
extras: {storages: [{name: disk, mountPath: /mnt/disk}]}','{"format":"OPENPAI_V2","name":"stor","image":"x","virtualCluster":"default","retryCount":0,"dataDir":"","outputDir":"","codeDir":"","authFile":"","environment":{},"keepFailed":0,"stopGrace":0,"roles":[{"name":"main","taskCount":1,"resources":{"cpus":1,"memory":{"bytes":104857600},"sharedMemory":{"bytes":536870912},"devices":0,"deviceType":""},"ports":[],"command":"echo kept > /mnt/disk/f; while [ ! -e /userhome/go-s ]; do sleep 0.2; done; cat /mnt/disk/f","minFailed":1,"minSucceeded":1,"image":"x","taskRetryCount":0,"infiniband":false,"prerequisites":{"image":"i","script":"","data":"","output":"","others":[]},"usualSharedMemory":true}],"prerequisites":[{"type":"dockerimage","name":"i","fields":{"name":"i","type":"dockerimage","uri":"x"}}],"parameters":{},"extras":{"submitFrom":"","gangAllocation":true,"defaultStorages":false,"storages":[{"name":"disk","mountPath":"/mnt/disk","possible":true}],"priorityClass":"","hivedScheduler":{},"notifications":[],"plugins":[],"capabilities":[],"imageBuild":false}}','[{"path":"extras.storages[0]","message":{"code":"jobfile.storage-own","params":{"name":"disk","path":"/mnt/disk"}},"line":6,"column":21}]');
CREATE TABLE job_deletion (
  id bigint primary key,
  job_id text  not null,
  -- the owner of the job, who may see it
  user_id text  not null,
  user_name text not null,
  name text not null,
  happened bigint not null,
  attempt int not null,
  code text not null,
  params text not null
);
CREATE TABLE job_image (
  job_id text  not null references job (id) on delete cascade,
  -- as the file says
  image text not null,
  reference text not null,
  image_id text not null,
  primary key (job_id, image)
);
CREATE TABLE job_owner (
  user_id text  primary key,
  user_name text  not null
);
INSERT INTO "job_owner" VALUES('01M7NZZ09DH9EPDZTMSMHD5358','admin');
CREATE TABLE job_secret (
  job_id text  primary key references job (id) on delete cascade,
  -- which key of the file secret-keys opens it
  key_id text  not null,
  sealed text not null
);
CREATE TABLE job_storage (
  job_id text  not null references job (id) on delete cascade,
  storage text  not null,
  mount_path text not null,
  read_only int not null,
  primary key (job_id, storage)
);
CREATE TABLE job_tag (
  job_id text  not null references job (id) on delete cascade,
  tag text  not null,
  primary key (job_id, tag)
);
CREATE TABLE job_template (
  id text  primary key,
  user_id text  not null references users (id) on delete cascade,
  name text  not null,
  description text not null,
  -- a job file, its secrets masked
  body text not null,
  changed bigint not null,
  unique (user_id, name)
);
CREATE TABLE log_removal (
  job_id text  primary key references job (id) on delete cascade,
  removed bigint not null,
  bytes bigint not null,
  -- 0 from the decision until the last file is gone; who finds it so goes on
  done int not null
);
CREATE TABLE machine_image (
  -- completed, as in docker.io/library/ubuntu:latest
  reference text  primary key,
  image_id text  not null,
  -- FOUND: somebody else put it there. PULLED: by the platform. MADE: from a task
  origin text  not null,
  -- 1 if only those may use it who are its readers
  restricted int not null,
  -- the id of who made it, or empty
  maker text  not null,
  used bigint not null
);
CREATE TABLE machine_image_reader (
  reference text  not null references machine_image (reference) on delete cascade,
  user_id text  not null,
  primary key (reference, user_id)
);
CREATE TABLE newcomer (
  id text  primary key,
  name text  not null,
  name_key text  not null unique,
  password text not null,
  email text not null,
  display_name text not null,
  language text not null,
  -- what they say to the administrator
  message text not null,
  address text not null,
  created bigint not null,
  -- 1 once refused
  refused int not null,
  word text not null,
  decided bigint,
  decided_by text
);
CREATE TABLE past_private_image (
  image_id text  primary key
);
CREATE TABLE past_run (
  job_id text  not null,
  -- no reference: it counts for whoever it was, even when they are gone
  user_id text  not null,
  user_name text not null,
  virtual_cluster text not null,
  cpus bigint not null,
  node text not null,
  -- indices of the cards, as in 0,1
  devices text not null,
  started bigint not null,
  ended bigint not null
);
CREATE TABLE port (
  node text  not null,
  port int not null,
  job_id text  not null references job (id) on delete cascade,
  attempt int not null,
  role text  not null,
  task_index int not null,
  primary key (node, port)
);
INSERT INTO "port" VALUES('@NODE@',20000,'01M7NZZFHRZ4SZ64F08HM5YQ3V',1,'main',0);
INSERT INTO "port" VALUES('@NODE@',20001,'01M7NZZFHRZ4SZ64F08HM5YQ3V',1,'main',0);
INSERT INTO "port" VALUES('@NODE@',20002,'01M7NZZHBKDS9P2ZB812AW0MZ4',1,'main',0);
INSERT INTO "port" VALUES('@NODE@',20003,'01M7NZZHBKDS9P2ZB812AW0MZ4',1,'main',0);
CREATE TABLE registry (
  -- with a port where it has another than usual
  host text  primary key,
  -- 1 if it has no TLS
  plain_http int not null,
  description text not null,
  -- names of the groups that see it, in JSON; none for everybody
  groups_json text not null
);
CREATE TABLE registry_login (
  id text  primary key,
  host text  not null,
  user_id text  references users (id) on delete cascade,
  group_name text  references team_group (name) on delete cascade,
  account text not null,
  -- the password, sealed like the secrets of jobs
  key_id text  not null,
  sealed text not null,
  created bigint not null
);
CREATE TABLE runtime_setting (
  name text  primary key,
  value_json text not null
);
CREATE TABLE ssh_key (
  id text  primary key,
  user_id text  not null references users (id) on delete cascade,
  title text not null,
  -- type and base64, without a comment
  key_text text not null,
  fingerprint text  not null,
  created bigint not null,
  unique (user_id, fingerprint)
);
CREATE TABLE storage (
  name text  primary key,
  name_key text  not null unique,
  description text not null,
  read_only int not null,
  -- 1 for one that jobs get which ask for those that everybody has
  usual int not null
);
CREATE TABLE task (
  job_id text  not null references job (id) on delete cascade,
  attempt int not null,
  role text  not null,
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
  detail text, address text, ports text not null default '', retry int not null default 0, engine text not null default 'process',
  primary key (job_id, attempt, role, task_index)
);
INSERT INTO "task" VALUES('01M7NZZFHRZ4SZ64F08HM5YQ3V',1,'main',0,'RUNNING','@NODE@','',1794960774594,NULL,NULL,NULL,NULL,NULL,'127.71.207.21','ssh:20000;http:20001',0,'process');
INSERT INTO "task" VALUES('01M7NZZHBKDS9P2ZB812AW0MZ4',1,'main',0,'RUNNING','@NODE@','',1794960774532,NULL,NULL,NULL,NULL,NULL,'127.71.207.22','ssh:20002;http:20003',0,'process');
CREATE TABLE team_group (
  name text  primary key,
  -- lower case; Lab and lab are one name
  name_key text  not null unique,
  description text not null,
  -- what an outside directory calls it; empty for nothing
  external_name text not null,
  admin int not null,
  -- of each of its members, in JSON; see Limits
  limits text not null
, shares_jobs int not null default 0);
INSERT INTO "team_group" VALUES('default','default','','',0,'{}',0);
INSERT INTO "team_group" VALUES('admingroup','admingroup','','',1,'{}',0);
CREATE TABLE token (
  id text  primary key,
  user_id text  not null references users (id) on delete cascade,
  -- SHA-256 in hexadecimal; the token itself is nowhere
  hash text  not null unique,
  -- session | local
  kind text not null,
  created bigint not null,
  -- null for one that does not expire
  expires bigint,
  last_used bigint not null
, name text not null default '', scope text not null default 'all');
INSERT INTO "token" VALUES('01M7NZZ1687J8JHEE0VY6K1ZSD','01M7NZZ09DH9EPDZTMSMHD5358','4a4e8161b0282aa214c1a082c5148fafd18045235057390e540373ebe0a8981d','local',1794960753864,NULL,1794960874277,'','all');
CREATE TABLE user_limit (
  user_id text  primary key references users (id) on delete cascade,
  limits text not null
);
CREATE TABLE user_request (
  id text  primary key,
  user_id text  not null references users (id) on delete cascade,
  -- device | pool | data | other
  kind text not null,
  what text not null,
  reason text not null,
  -- open | granted | refused
  state text  not null,
  word text not null,
  created bigint not null,
  decided bigint,
  decided_by text
);
CREATE TABLE users (
  id text  primary key,
  name text  not null unique,
  -- lower case; Alice and alice are one name
  name_key text  not null unique,
  password text not null,
  admin int not null,
  disabled int not null,
  id_range int not null unique,
  created bigint not null
, email text not null default '', display_name text not null default '', language text not null default '', extension text not null default '{}');
INSERT INTO "users" VALUES('01M7NZZ09DH9EPDZTMSMHD5358','admin','admin','$argon2id$v=19$m=19456,t=2,p=1$CXr190hjtWoIxn8m06Aybg$+1FtfDbZ2Csu/oAW0vijqD2R4mATd8fLemyWa9ZUR9A',1,0,1,1794960752941,'','','','{}');
CREATE TABLE virtual_cluster (
  name text  primary key,
  name_key text  not null unique,
  description text not null,
  -- how much of it may be in use at once, in JSON; see Quota
  quota text not null
);
INSERT INTO "virtual_cluster" VALUES('default','default','','{}');
CREATE INDEX "flyway_schema_history_s_idx" ON "flyway_schema_history" ("success");
CREATE INDEX token_user on token (user_id);
CREATE INDEX token_expires on token (expires);
CREATE INDEX job_state on job (state, id);
CREATE INDEX job_owner_state on job (user_id, state, id);
CREATE INDEX job_name on job (name, id);
CREATE INDEX job_owner_name on job_owner (user_name);
CREATE INDEX port_task on port (job_id, attempt, role, task_index);
CREATE INDEX log_removal_done on log_removal (done);
CREATE INDEX job_ended on job (ended, id);
CREATE INDEX event_job on event (job_id, id);
CREATE INDEX event_owner on event (user_id, id);
CREATE INDEX job_secret_key on job_secret (key_id);
CREATE INDEX job_deletion_job on job_deletion (job_id, id);
CREATE INDEX job_deletion_owner on job_deletion (user_id, id);
CREATE INDEX audit_user on audit (lower(user_name), id);
CREATE INDEX audit_action on audit (action, id);
CREATE INDEX audit_target on audit (target, id);
CREATE INDEX user_request_user on user_request (user_id, id);
CREATE INDEX user_request_state on user_request (state, id);
CREATE INDEX group_member_user on group_member (user_id);
CREATE INDEX group_grant_name on group_grant (kind, name);
CREATE INDEX job_storage_name on job_storage (storage);
CREATE INDEX job_search on job (id, user_id, state, stop_cause, search, user_name, virtual_cluster,
  priority, devices, task_count, attempt, ended);
CREATE INDEX job_tag_tag on job_tag (tag, job_id);
CREATE INDEX identity_user on identity (user_id);
CREATE UNIQUE INDEX registry_login_user on registry_login (user_id, host);
CREATE UNIQUE INDEX registry_login_group on registry_login (group_name, host);
CREATE INDEX machine_image_id on machine_image (image_id);
CREATE UNIQUE INDEX capability_grant_user on capability_grant (user_id, capability);
CREATE UNIQUE INDEX capability_grant_vc on capability_grant (virtual_cluster, capability);
CREATE INDEX past_run_time on past_run (started, ended);
CREATE INDEX past_run_user on past_run (user_id, started);
COMMIT;
