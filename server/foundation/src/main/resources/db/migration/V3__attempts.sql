-- Retries, stops and pauses.

-- when a waiting job may be tried again, and how long it was to wait then: a clock that is set back
-- must not make it wait longer
alter table job add column not_before bigint;
alter table job add column back_off bigint not null default 0;
-- retries that count against the job's own limit
alter table job add column retries int not null default 0;
-- attempts in a row that the platform has lost
alter table job add column faults int not null default 0;
-- why the next attempt will be made, or the newest was
alter table job add column cause text not null default 'FIRST';
-- milliseconds; null for the job's own or the server's
alter table job add column stop_grace bigint;

alter table attempt add column cause text not null default 'FIRST';
alter table attempt add column stop_cause text;
alter table attempt add column stopped_by text;

-- under which address the other tasks reach it
alter table task add column address text;
-- as in http:20001;ssh:20002,20003
alter table task add column ports text not null default '';

-- A port of a machine belongs to one task at a time: from the transaction that stores the attempt to
-- the one that records the task's end.
create table port (
  node text ${binary} not null,
  port int not null,
  job_id text ${binary} not null references job (id) on delete cascade,
  attempt int not null,
  role text ${binary} not null,
  task_index int not null,
  primary key (node, port)
);

create index port_task on port (job_id, attempt, role, task_index);
