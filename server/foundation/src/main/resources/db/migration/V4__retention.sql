-- Jobs whose logs were deleted because they were old, or because all logs together were too large.
create table log_removal (
  job_id text ${binary} primary key references job (id) on delete cascade,
  removed bigint not null,
  bytes bigint not null,
  -- 0 from the decision until the last file is gone; who finds it so goes on
  done int not null
);

create index log_removal_done on log_removal (done);

-- What retention looks at, oldest end first.
create index job_ended on job (ended, id);
