-- Message code of the description; empty if the description was entered by a user.
alter table catalogue_image add column description_code text ${binary} not null default '';

-- The entries of a new server. A catalog that an administrator filled or emptied is not changed.
insert into catalogue_image (name, reference, description, description_code, framework, tags, state,
  proposer_id, proposer, note, changed)
select entry.name, entry.reference, '', entry.code, entry.framework, entry.tags, 'APPROVED',
  '', '', '', 0
from (
  select 'ubuntu:16.04' as name, 'docker.io/library/ubuntu:16.04' as reference,
    'catalog.ubuntu' as code, '' as framework, '["cpu"]' as tags
  union all select 'pai.example.tensorflow', 'docker.io/openpai/pai.example.tensorflow:latest',
    'catalog.pai-tensorflow', 'TensorFlow', '["gpu","example"]'
  union all select 'pai.example.pytorch', 'docker.io/openpai/pai.example.pytorch:latest',
    'catalog.pai-pytorch', 'PyTorch', '["gpu","example"]'
  union all select 'deepo', 'docker.io/ufoym/deepo:latest',
    'catalog.deepo', '', '["gpu","pytorch","tensorflow","mxnet"]'
) entry
where not exists (select 1 from catalogue_image)
  and not exists (select 1 from audit where action = 'image.delete');
