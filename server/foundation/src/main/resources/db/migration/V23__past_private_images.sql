-- Images that were not for everybody under a name that has gone to another since: who knows their
-- digest must not get them by that.
create table past_private_image (
  image_id text ${binary} primary key
);
