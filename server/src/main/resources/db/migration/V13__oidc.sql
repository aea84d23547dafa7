-- People whom an OpenID Connect provider vouches for, and who they are here. Never by name alone:
-- whoever may choose a name at the provider must not become somebody else here.
create table oidc_identity (
  issuer text ${binary} not null,
  subject text ${binary} not null,
  user_id text ${binary} not null references users (id) on delete cascade,
  created bigint not null,
  primary key (issuer, subject)
);

create index oidc_identity_user on oidc_identity (user_id);
