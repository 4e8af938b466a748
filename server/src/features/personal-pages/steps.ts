// The steps that install a signature in each mail program. The page shows them to the owner of the address.

interface Program {
  readonly name: string
  readonly steps: readonly string[]
  readonly note?: string
}

const copy = 'Choose “Copy signature” above.'

export const programs: readonly Program[] = [
  {
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
  {
    name: 'Outlook on the web',
    steps: [
      copy,
      'Open Outlook in the browser and choose the gear at the top right.',
      'Go to “Account”, then “Signatures”. Older versions have it under “Mail”, “Compose and reply”.',
      'Choose “Add signature”, or the one that you have, and paste into the box.',
      'Choose it as the default for new messages and for replies, then “Save”.',
    ],
  },
  {
    name: 'New Outlook for Windows and Mac',
    steps: [
      copy,
      'Open the settings: the gear at the top right on Windows, “Outlook” then “Settings” on a Mac.',
      'Go to “Accounts”, then “Signatures” (on a Mac just “Signatures”).',
      'Add a signature, or open the one that you have, and paste.',
      'Choose it as the default for new messages and for replies, and save.',
    ],
  },
  {
    name: 'Classic Outlook for Windows',
    steps: [
      copy,
      'Go to “File”, “Options”, “Mail”, then “Signatures…”.',
      'Choose “New” and give it a name.',
      'Click into the box and paste with Ctrl+V.',
      'At the top right, choose it for new messages and for replies, then “OK”.',
    ],
  },
  {
    name: 'Outlook on a phone',
    steps: [
      'Open this page on the phone and choose “Copy signature”.',
      'In Outlook, tap your picture at the top left, then the gear.',
      'Tap “Signature”, remove what is there, hold your finger on the empty box and paste.',
      'Go back; it is saved.',
    ],
    note: 'Some phones keep the words alone. Then “Copy as plain text” looks tidier.',
  },
  {
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
  {
    name: 'Thunderbird',
    steps: [
      'Choose “Copy HTML source” above.',
      'In Thunderbird, open the menu (☰) and choose “Account Settings”, then your account.',
      'Tick “Use HTML” beside “Signature text”.',
      'Paste into the box below. It is saved by itself.',
    ],
  },
]
