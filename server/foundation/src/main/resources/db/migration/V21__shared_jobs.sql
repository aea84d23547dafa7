-- Colleagues who look at each other's jobs, and what deleted jobs have used.

-- 1: its members see each other's jobs
alter table team_group add column shares_jobs int not null default 0;

-- Every run of every task of jobs that are deleted: what was used stays used.
create table past_run (
  job_id text ${binary} not null,
  -- no reference: it counts for whoever it was, even when they are gone
  user_id text ${binary} not null,
  user_name text not null,
  virtual_cluster text not null,
  cpus bigint not null,
  node text not null,
  -- indices of the cards, as in 0,1
  devices text not null,
  started bigint not null,
  ended bigint not null
);

create index past_run_time on past_run (started, ended);
create index past_run_user on past_run (user_id, started);
