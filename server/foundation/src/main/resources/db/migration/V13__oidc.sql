-- People whom somebody outside vouches for (an OpenID Connect provider, a directory), and who they
-- are here. Never by name or e-mail alone: whoever may choose a name outside must not become
-- somebody else here.
create table identity (
  -- who vouches
  issuer text ${binary} not null,
  -- what they call the person, for good
  subject text ${binary} not null,
  user_id text ${binary} not null references users (id) on delete cascade,
  created bigint not null,
  primary key (issuer, subject)
);

create index identity_user on identity (user_id);

-- The issuer that told a membership first, and may take it back; null for one given here.
alter table group_member add column told_by text ${binary};
