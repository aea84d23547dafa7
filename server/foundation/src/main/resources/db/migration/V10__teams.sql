-- Groups of users, and what they grant: being an administrator, virtual clusters, storages.

create table team_group (
  name text ${binary} primary key,
  -- lower case; Lab and lab are one name
  name_key text ${binary} not null unique,
  description text not null,
  -- what an outside directory calls it; empty for nothing
  external_name text not null,
  admin int not null,
  -- of each of its members, in JSON; see Limits
  limits text not null
);

create table group_member (
  group_name text ${binary} not null references team_group (name) on delete cascade,
  user_id text ${binary} not null references users (id) on delete cascade,
  primary key (group_name, user_id)
);

create index group_member_user on group_member (user_id);

create table group_grant (
  group_name text ${binary} not null references team_group (name) on delete cascade,
  -- vc | storage
  kind text ${binary} not null,
  name text ${binary} not null,
  -- in which order somebody wrote them down
  position int not null,
  primary key (group_name, kind, name)
);

create index group_grant_name on group_grant (kind, name);

create table virtual_cluster (
  name text ${binary} primary key,
  name_key text ${binary} not null unique,
  description text not null,
  -- how much of it may be in use at once, in JSON; see Quota
  quota text not null
);

-- Limits of single users; who has none here has those of the groups, or else the server's.
create table user_limit (
  user_id text ${binary} primary key references users (id) on delete cascade,
  limits text not null
);

-- Directories that administrators have set up to be shared by those whose groups grant them.
create table storage (
  name text ${binary} primary key,
  name_key text ${binary} not null unique,
  description text not null,
  read_only int not null,
  -- 1 for one that jobs get which ask for those that everybody has
  usual int not null
);

-- Which of them a job uses, as it was when the job was submitted. What a job names and is not here is
-- a directory of its owner's own.
create table job_storage (
  job_id text ${binary} not null references job (id) on delete cascade,
  storage text ${binary} not null,
  mount_path text not null,
  read_only int not null,
  primary key (job_id, storage)
);

create index job_storage_name on job_storage (storage);

insert into virtual_cluster (name, name_key, description, quota)
values ('default', 'default', '', '{}');

insert into team_group (name, name_key, description, external_name, admin, limits)
values ('default', 'default', '', '', 0, '{}');
insert into team_group (name, name_key, description, external_name, admin, limits)
values ('admingroup', 'admingroup', '', '', 1, '{}');

insert into group_grant (group_name, kind, name, position) values ('default', 'vc', 'default', 0);

insert into group_member (group_name, user_id) select 'default', id from users;
insert into group_member (group_name, user_id)
select 'admingroup', id from users where admin = 1;
