-- Which server leads a PostgreSQL database; one row, written by the first server that leads.
-- On SQLite the table stays empty, because the lock of the data directory does the same.
create table server_lease (
  id integer primary key,
  holder text not null,
  installation text not null,
  directory text not null,
  epoch bigint not null,
  expires_at bigint not null
);
