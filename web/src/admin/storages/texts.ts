import { texts } from "../../i18n/texts";

export const storageTexts = texts(
  {
    add: "New storage",
    readOnly: "Read-only",
    readOnlyHint: "Jobs can read the files but not change them.",
    default: "Default",
    defaultHint: "Mounted as /mnt/NAME into v2 jobs that set extras.storages to an empty list. The groups of the job owner must grant the storage.",
    nameHint: "Name in job files. The files are in the server's data directory; groups grant access.",
    removeQuestion: (name: string) => `Delete storage ${name}?`,
    removeLoss: "Groups lose access, and new jobs cannot use the storage. The files stay on disk. A storage that unfinished jobs use cannot be deleted.",
    empty: "No storages. A storage is a directory that the jobs of several users share.",
  },
  {
    add: "新建存储",
    readOnly: "只读",
    readOnlyHint: "任务只能读取，不能修改。",
    default: "默认",
    defaultHint: "v2 任务的 extras.storages 为空列表时，自动挂载到 /mnt/名称；任务所有者的用户组须已获授权。",
    nameHint: "任务文件中使用的名称。文件位于服务器的数据目录，使用权限由用户组授予。",
    removeQuestion: (name) => `删除存储 ${name}？`,
    removeLoss: "用户组将失去使用权限，新任务无法使用该存储；文件仍保留在磁盘上。未结束的任务正在使用的存储无法删除。",
    empty: "暂无存储。存储是多个用户的任务共享的目录。",
  },
);
