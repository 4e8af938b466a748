import type { PageTexts } from './page-texts.ts'

const copy = 'Choose “Copy signature” above.'

export const englishPage: PageTexts = {
  title: 'Your email signature',
  states: {
    never: 'Your signature is ready. Copy it, then paste it into your mail program: it takes a minute.',
    outdated:
      'An update is available. Copy the signature again, and put it in the place of the one that you have.',
    current: 'You have the current signature. There is nothing to do; you may copy it again at any time.',
  },
  noSignature:
    'There is no signature for this address yet. Nothing is wrong, and there is nothing to do: as soon as you are given one, it will be here.',
  copyStates: {
    current: 'You have the current signature. Paste it into your mail program, if you have not done so yet.',
    outdated:
      'Your signature has changed since this page was opened. Load the page again, then copy the new one.',
    none: 'There is no signature for this address any more. Load the page again to be sure.',
  },
  signature: 'How it looks',
  whichSignature: 'Which signature?',
  kinds: { new: 'For new mail', reply: 'For replies' },
  subjects: { new: 'New message', reply: 'Re: Your message' },
  sampleMail: ['Hello,', 'here is what your mail will look like.'],
  noReply: 'Replies carry no signature: choose “no signature” for replies in your mail program.',
  copy: { rich: 'Copy signature', text: 'Copy as plain text', source: 'Copy HTML source' },
  copied: {
    rich: 'Copied. Now paste it into your mail program: the steps are below.',
    text: 'Copied as plain text.',
    source: 'The HTML source is copied.',
  },
  copyRefused:
    'Your browser does not allow copying here. The signature is selected: press Ctrl+C, or ⌘C on a Mac.',
  byHand:
    'The buttons for copying need JavaScript. Without it, select the signature with the mouse and copy it.',
  onDark: 'Show it on a dark background',
  install: 'How to install it',
  likely: 'Probably yours',
  programs: {
    gmail: {
      name: 'Gmail',
      steps: [
        copy,
        'Open Gmail on a computer, choose the gear at the top right, then “See all settings”.',
        'Under “General”, scroll down to “Signature” and choose “Create new”. Any name will do.',
        'Click into the empty box and paste.',
        'Below it, choose this signature for new emails, and for replies if you like.',
        'Scroll to the very bottom and choose “Save Changes”.',
      ],
      note: 'The Gmail app on a phone keeps a plain-text signature of its own: use “Copy as plain text” for it.',
    },
    outlook_web: {
      name: 'Outlook on the web',
      steps: [
        copy,
        'Open Outlook in the browser and choose the gear at the top right.',
        'Go to “Account”, then “Signatures”. Older versions have it under “Mail”, “Compose and reply”.',
        'Choose “Add signature”, or the one that you have, and paste into the box.',
        'Choose it as the default for new messages and for replies, then “Save”.',
      ],
    },
    new_outlook: {
      name: 'New Outlook for Windows and Mac',
      steps: [
        copy,
        'Open the settings: the gear at the top right on Windows, “Outlook” then “Settings” on a Mac.',
        'Go to “Accounts”, then “Signatures” (on a Mac just “Signatures”).',
        'Add a signature, or open the one that you have, and paste.',
        'Choose it as the default for new messages and for replies, and save.',
      ],
    },
    classic_outlook: {
      name: 'Classic Outlook for Windows',
      steps: [
        copy,
        'Go to “File”, “Options”, “Mail”, then “Signatures…”.',
        'Choose “New” and give it a name.',
        'Click into the box and paste with Ctrl+V.',
        'At the top right, choose it for new messages and for replies, then “OK”.',
      ],
    },
    outlook_phone: {
      name: 'Outlook on a phone',
      steps: [
        'Open this page on the phone and choose “Copy signature”.',
        'In Outlook, tap your picture at the top left, then the gear.',
        'Tap “Signature”, remove what is there, hold your finger on the empty box and paste.',
        'Go back; it is saved.',
      ],
      note: 'Some phones keep the words alone. Then “Copy as plain text” looks tidier.',
    },
    apple_mail: {
      name: 'Apple Mail',
      steps: [
        copy,
        'In Mail on the Mac, choose “Mail”, “Settings”, then “Signatures”.',
        'Choose your account on the left, then “+”, and give the signature a name.',
        'Untick “Always match my default message font”.',
        'Select the text on the right and paste over it. Close the window; it is saved.',
      ],
      note: 'Pictures may be missing in that window. They are there in the mails that you write. On an iPhone it is under “Settings”, “Apps”, “Mail”, “Signature”.',
    },
    thunderbird: {
      name: 'Thunderbird',
      steps: [
        'Choose “Copy HTML source” above.',
        'In Thunderbird, open the menu (☰) and choose “Account Settings”, then your account.',
        'Tick “Use HTML” beside “Signature text”.',
        'Paste into the box below. It is saved by itself.',
      ],
    },
  },
  details: {
    title: 'Your details',
    intro: 'Correct what is not right. Your signature follows.',
    save: 'Save',
    done: {
      saved: 'Saved. Your signature shows it now.',
      waiting: 'Sent. It appears in your signature as soon as it is approved.',
      removed: 'The picture is removed.',
      withdrawn: 'Your request is withdrawn.',
    },
    needsApproval: 'A change needs an approval.',
    waits: current => `Waiting for approval. Until then your signature shows: ${current}`,
    waitsForRemoval: 'Waiting for approval: the value will be removed.',
    approved: 'Approved. Your signature shows it now.',
    approvedRemoval: 'Approved: the value is removed.',
    rejected: value => `Not approved: ${value}`,
    reason: text => `Reason: ${text}`,
    withdraw: 'Withdraw',
    empty: 'nothing',
    problems: {
      text: 'This value is not valid.',
      url: 'This is not a web address, such as https://example.com.',
      email: 'This is not an email address.',
      phone: 'This is not a phone number, such as +44 20 7946 0100.',
      too_long: 'This is too long: at most 5,000 characters.',
      locked: 'This value cannot be changed here any more.',
    },
    someWrong: 'Nothing was saved yet: please correct the marked fields.',
  },
  picture: {
    none: 'No picture yet',
    add: 'Add a picture',
    change: 'Change picture',
    remove: 'Remove',
    waits: 'This picture waits for approval.',
    approved: 'This picture was approved.',
    rejected: 'This picture was not approved.',
    needsScript: 'Changing the picture needs JavaScript.',
    crop: 'Choose the part that is shown',
    cropHelp: 'Drag the picture, or move it with the arrow keys. Zoom with + and −.',
    zoom: 'Zoom',
    use: 'Use this picture',
    cancel: 'Cancel',
    sending: 'Sending the picture …',
    unreadable: 'This file is not a picture that your browser can open. Choose a JPEG or PNG.',
    failed: 'The picture could not be saved. Please try again.',
    limited: 'Too many changes in a short time. Please try again in a few minutes.',
  },
  fields: {},
  oldLink: {
    title: 'This link is old',
    explanation: address =>
      `For your safety, links to personal pages work for a limited time. We will gladly mail a fresh one to ${address}.`,
    button: 'Mail me a fresh link',
    sentTitle: 'Look into your mailbox',
    sent: address =>
      `A fresh link is on its way to ${address}. If it does not arrive within a few minutes, look into the spam folder, or try again later.`,
    withoutMail: 'Please ask the person in your company who manages signatures for a fresh link.',
  },
  missing: {
    title: 'This page is not here',
    explanation:
      'The link is not complete, or it has been replaced by a new one. Please ask the person who sent it to you for the current link.',
  },
  problem: {
    title: 'That did not work',
    cross_origin: 'Another website has sent this form. Nothing was changed.',
    rate_limited: 'There were too many changes in a short time. Please try again in a few minutes.',
    unreadable_form: 'The form could not be read. Nothing was changed.',
    unavailable: 'Something went wrong on our side. Please try again in a moment.',
    back: 'Back to your page',
  },
  privacy: 'This page is for you alone: a person who has its address can see and change what you see here.',
}
