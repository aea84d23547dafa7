-- Deleted users whose files still have to be moved away. The row is inserted in the transaction
-- that deletes the user and deleted when the files have been moved; until then no user with this
-- name can be created.
create table deleted_user (
  id text ${binary} primary key,
  name text not null,
  -- lower case, as in users
  name_key text ${binary} not null
);

create index deleted_user_name on deleted_user (name_key);
