-- What an administrator approved: an image, and not only a name.

-- of the image that had the reference then; empty if none was on the machine
alter table catalogue_image add column image_id text ${binary} not null default '';

-- 1 if the short name stands for that image only, which was made here
alter table catalogue_image add column fixed int not null default 0;

update catalogue_image set
  image_id = (select m.image_id from machine_image m where m.reference = catalogue_image.reference),
  fixed = 1
where state = 'APPROVED' and reference like 'docker.io/%'
  and exists (select 1 from machine_image m where m.reference = catalogue_image.reference
    and m.origin = 'MADE' and m.image_id <> '');
