-- Size of the job file in bytes. The sum for the unfinished jobs of a user is limited, and the
-- queue is loaded in pages of limited size. Finished jobs of earlier releases keep 0.
alter table job add column file_bytes bigint not null default 0;

update job set file_bytes =
  coalesce((select octet_length(raw) from job_config where job_id = job.id), 0)
where state in ('WAITING', 'PREPARING', 'RUNNING', 'STOPPING', 'PAUSED');
