// What mail programs report when they could not set a signature, as sentences for admins.

export const troubleMessages = {
  fetch_failed: 'Outlook got no usable answer from the service, and had no earlier answer.',
  timeout: 'The service did not answer in time, and Outlook had no earlier answer.',
  refused: 'The service refused the request of the add-in. Compare the deployed manifest with the tokens.',
  no_token: 'Outlook could not sign the person in without a dialog.',
  too_long: 'The signature has more than 30,000 characters, which Outlook does not take.',
  body_type: 'Outlook did not say whether the mail is HTML or plain text.',
  set_failed: 'Outlook refused to set the signature.',
  unsupported: 'This Outlook lacks a function that the add-in needs.',
  unexpected: 'The add-in failed for another reason.',
} as const

export type ReportableTrouble = keyof typeof troubleMessages
