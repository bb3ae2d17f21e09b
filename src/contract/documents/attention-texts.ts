/** What the fields of the list of what needs a person mean: a part of the texts of records. */
export const attentionTexts = {
  AttentionAction: {
    name: "`answerAsk`, `approve` and `reply` post an answer or a reply; `approve` is the first option of the ask. `open` shows what the item is about, and `command` can be done on the command line alone.",
    options: "The options of the ask, in order; empty for an answer in words.",
    command: "What the person can run instead; capitals stand for what they fill in.",
  },
  AttentionCounts: {
    now: "Items that cannot wait.",
    later: "All other items.",
  },
  AttentionItem: {
    id: "The kind and the cause. A new cause has another id.",
    urgency: "`now` if somebody stands still until the person acts.",
    board: "Null if it is about no board.",
    at: "When its cause came about.",
    from: "Who caused it. Null for several members, and for somebody who is not on a board.",
    title: "What it is, in the server's words.",
    text: "What a member wrote, cut after 500 characters, or what else belongs to it.",
    snoozed_until: "Present while it is snoozed.",
  },
  AttentionRef: {
    seq: "The position of the message or event.",
    task: "The task that the ask blocks, or that the agent works on.",
    files: "The versions that the person is asked to approve.",
    agents: "The person's agents, or those that have not received the message.",
    until: "When it ends by itself: the asker goes on, or the request expires.",
  },
};
