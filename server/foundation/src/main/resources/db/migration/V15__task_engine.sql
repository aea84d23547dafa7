-- Which engine runs a task: another one can't look after it. Until now there was one.
alter table task add column engine text not null default 'process';
alter table earlier_run add column engine text not null default 'process';
