-- Jobs that build an image: what is made of the only task when its steps are done.
create table image_build (
  job_id text ${binary} primary key references job (id) on delete cascade,
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
  directory text ${binary} not null
);
