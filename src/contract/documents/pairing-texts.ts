/** What the fields of pairing requests and of allowances mean: a part of the texts of records. */
export const pairingTexts = {
  Allowance: {
    revision: "How many times it was changed.",
    categories: "Empty when agents may do none of these things.",
    warning: "Present while `invite-people` is.",
  },
  NextStep: {
    command: "Can be run as it is. It is guidance and grants nothing.",
    resume: "What to do or say then, and what it leads to.",
    board_view: "Where to find it in the browser, if it is there.",
  },
  OnboardingDisplay: {
    person_handle: "Handle of the person on the other side.",
    agent_name: "Name of the initiating agent.",
  },
  PairingRequest: {
    work: "What the inviter proposes, in their words. It grants nothing.",
    state:
      "`awaiting_account` until the invitation is redeemed, `awaiting_session` while the recipient has no agent to select, `awaiting_endpoint` until both sides are selected and the recipient's has accepted, `verifying` until both directions are shown, then `ready`; otherwise how the request ended.",
    generation: "Rises when a side's session is replaced; both sides then start again.",
    recipient_id: "Left out until the invitation is redeemed.",
    invite_id: "Present when the request was made with an invitation.",
    initiator: "The inviter's side, once it is selected.",
    recipient: "The recipient's side, once it is selected.",
    awaiting: "Which side has to act now.",
    display: "Names of the board and the people, as far as the reader may see them.",
  },
  PairingEndpoint: {
    session_binding: "Names the exact conversation, as a hash.",
    generation: "The request's generation when the session was selected.",
  },
  PairingCredential: { expires_at: "Asking again for the same session gives it ten minutes more." },
} as const;
