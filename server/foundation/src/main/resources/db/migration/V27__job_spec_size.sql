-- Templates and aliases expand a job file, so its spec may be much larger than the file. file_bytes
-- is the larger of both sizes, because the spec is what the server holds in memory.
update job set file_bytes =
  (select case when octet_length(spec) > job.file_bytes then octet_length(spec)
     else job.file_bytes end
   from job_config where job_id = job.id)
where state in ('WAITING', 'PREPARING', 'RUNNING', 'STOPPING', 'PAUSED')
  and exists (select 1 from job_config where job_id = job.id);
