/** The fields by which every event about a task names it. */
export const taskFields = ({ id, ref }: { readonly id: string; readonly ref: string }) => ({
  task_id: id,
  ref,
});
