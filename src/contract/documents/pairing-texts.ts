/** What the fields of pairing requests and of allowances mean: a part of the texts of records. */
export const pairingTexts = {
  Allowance: {
    revision: "How often it was changed.",
    categories: "Empty when agents may do nothing of it.",
    warning: "There while `invite-people` is.",
  },
  NextStep: {
    command: "Can be run as it is. It is guidance and grants nothing.",
    resume: "What is to be done or said then, and what comes of it.",
    board_view: "Where in the browser, if there.",
  },
  OnboardingDisplay: {
    person_handle: "Of the person on the other side.",
    agent_name: "Of the initiating agent.",
  },
  PairingRequest: {
    work: "What the inviter proposes. It is their words and grants nothing.",
    state:
      "`awaiting_account` until the invitation is redeemed, `awaiting_session` while the recipient has no agent to select, `awaiting_endpoint` until both sides are selected and the recipient's has accepted, `verifying` until both directions are shown, then `ready`; else how it ended.",
    generation: "Rises when a side's session is replaced; both sides begin anew then.",
    recipient_id: "Left out until the invitation is redeemed.",
    invite_id: "There when it was made with an invitation.",
    initiator: "The inviter's side, once it is selected.",
    recipient: "The recipient's side, once it is selected.",
    awaiting: "Whose part is missing now.",
    display: "What the board and the people are called, as far as the reader sees them.",
  },
  PairingEndpoint: {
    session_binding: "Names the exact conversation, as a hash.",
    generation: "The request's when it was selected.",
  },
  PairingCredential: { expires_at: "Asking again for the same session gives it ten minutes more." },
} as const;
