-- When the user last signed in; null if never. Sessions are deleted when they end, so their rows
-- cannot answer this.
alter table users add column last_sign_in bigint;

update users set last_sign_in =
  (select max(created) from token where token.user_id = users.id and token.kind = 'session');
