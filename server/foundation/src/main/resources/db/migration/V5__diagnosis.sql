-- What is believed about how an attempt failed, in JSON: the kind of end, the task that decided, and
-- the lines of its log that say so.
alter table attempt add column diagnosis text;

-- attempts in a row that met somebody else who had what they wanted
alter table job add column conflicts int not null default 0;
-- how many retries each task has had since the last of the job, in JSON
alter table job add column task_retries text not null default '{}';
