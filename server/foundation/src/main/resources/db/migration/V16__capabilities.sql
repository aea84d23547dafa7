-- Rights of the kernel beyond the usual that administrators granted to a user, or to all jobs of a
-- virtual cluster: one of both is set.
create table capability_grant (
  user_id text ${binary} references users (id) on delete cascade,
  virtual_cluster text ${binary} references virtual_cluster (name) on delete cascade,
  capability text ${binary} not null,
  -- the name of who granted it
  granted_by text not null,
  granted bigint not null
);

create unique index capability_grant_user on capability_grant (user_id, capability);
create unique index capability_grant_vc on capability_grant (virtual_cluster, capability);
