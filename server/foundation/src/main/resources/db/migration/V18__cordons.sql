-- Machines on which administrators let nothing more start.
create table cordon (
  node text ${binary} primary key,
  -- the name of whoever did it
  user_name text not null,
  reason text not null,
  created bigint not null
);
