-- Registries of container images that administrators made known.
create table registry (
  -- with a port where it has another than usual
  host text ${binary} primary key,
  -- 1 if it has no TLS
  plain_http int not null,
  description text not null,
  -- names of the groups that see it, in JSON; none for everybody
  groups_json text not null
);

-- Who people are for a registry: one login of a user, or of a group for all of its members.
create table registry_login (
  id text ${binary} primary key,
  host text ${binary} not null,
  user_id text ${binary} references users (id) on delete cascade,
  group_name text ${binary} references team_group (name) on delete cascade,
  account text not null,
  -- the password, sealed like the secrets of jobs
  key_id text ${binary} not null,
  sealed text not null,
  created bigint not null
);

create unique index registry_login_user on registry_login (user_id, host);
create unique index registry_login_group on registry_login (group_name, host);

-- Images under short names, for job files.
create table catalogue_image (
  name text ${binary} primary key,
  reference text not null,
  description text not null,
  framework text not null,
  -- in JSON
  tags text not null,
  -- PROPOSED | APPROVED | REFUSED
  state text ${binary} not null,
  proposer_id text ${binary} not null,
  proposer text not null,
  -- what an administrator said to it
  note text not null,
  changed bigint not null
);

-- What the platform knows of images on the machine.
create table machine_image (
  -- completed, as in docker.io/library/ubuntu:latest
  reference text ${binary} primary key,
  image_id text ${binary} not null,
  -- FOUND: somebody else put it there. PULLED: by the platform. MADE: from a task
  origin text ${binary} not null,
  -- 1 if only those may use it who are its readers
  restricted int not null,
  -- the id of who made it, or empty
  maker text ${binary} not null,
  used bigint not null
);

create index machine_image_id on machine_image (image_id);

-- Whom a registry has let have an image that is not for everybody.
create table machine_image_reader (
  reference text ${binary} not null references machine_image (reference) on delete cascade,
  user_id text ${binary} not null,
  primary key (reference, user_id)
);

-- What the images of a job's file were when it last started.
create table job_image (
  job_id text ${binary} not null references job (id) on delete cascade,
  -- as the file says
  image text not null,
  reference text not null,
  image_id text not null,
  primary key (job_id, image)
);
