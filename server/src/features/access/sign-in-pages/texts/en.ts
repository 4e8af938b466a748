// The words of the sign-in pages in English. The German file has the same keys, which the compiler checks.

export const en = {
  product: 'Signoff',
  pageOf: (title: string, company: string) => `${title} · ${company}`,
  toSignoff: 'Back to Signoff',
  /** `browser` is a name such as `Firefox on Windows`. */
  browser: (browser: string) => browser,
  signOut: 'Sign out',
  addPasskey: 'Add a passkey',
  cancel: 'Cancel',
  back: 'Back to sign-in',
  home: 'To the start page',
  show: 'Show',
  hide: 'Hide',
  signedInAs: (name: string) => `Signed in as ${name}`,
  needsScript: 'Passkeys need JavaScript in this browser.',
  fields: {
    code: 'Link or its code',
    codeHint: 'The code is the part of the link after the # sign.',
    name: 'Your name',
    email: 'Email address',
    password: 'Password',
    newPassword: 'New password',
    passwordHint: 'At least 12 characters. A few words that only you would put together work well.',
    oneTimeCode: 'Code',
    recoveryCode: 'Recovery code',
  },
  signIn: {
    title: 'Sign in',
    to: (company: string) => `Sign in to ${company}`,
    submit: 'Sign in',
    forgot: 'Forgot your password?',
    other: 'Other ways to sign in',
    link: 'Email me a sign-in link',
    passkey: 'Use a passkey',
    sso: 'Single sign-on',
    continueWith: (connection: string) => `Continue with ${connection}`,
    ssoTitle: 'Choose how to continue',
    ssoIntro: (email: string) => `${email} signs in through the company’s own sign-in service.`,
    ssoNone: 'There is no single sign-on for this address. Use another way below.',
    or: 'or',
  },
  ssoRequired: {
    title: 'Use your company’s sign-in',
    text: 'Your workspace lets you in only through its single sign-on.',
  },
  linkSent: {
    title: 'Check your inbox',
    text: (email: string) =>
      `If there is an account for ${email}, a link is on its way. It works once, for 15 minutes, and only in this browser.`,
    thisAddress: 'this address',
    nothing: 'Nothing there? Look into the spam folder, check the address, or ask for another link.',
  },
  secondFactor: {
    title: 'One more step',
    totp: 'Enter the code that your authenticator app shows.',
    onlyPasskey: 'Confirm with your passkey that it is you.',
    submit: 'Continue',
    passkey: 'Use your passkey',
    recovery: 'Use a recovery code instead',
    recoveryText: 'Each of your recovery codes works once.',
    lost: 'Lost your phone and your codes? Ask an administrator of your workspace, or the person who runs this service.',
    none: 'Your workspace asks for a second factor: a proof besides your password, such as a code from your phone. Set one up to go on.',
  },
  chooseWorkspace: {
    title: 'Choose a workspace',
    text: 'You belong to more than one. You can change later.',
  },
  noWorkspace: {
    title: 'You belong to no workspace',
    text: 'Ask a colleague for an invitation.',
  },
  setUp: {
    title: 'Set up Signoff',
    text: 'You become the owner of this installation. Choose how you will sign in.',
    submit: 'Create my account',
  },
  setUpPasskey: {
    title: 'Sign in without a password',
    text: 'With a passkey you sign in with your fingerprint, your face or the PIN of your device. Your password keeps working.',
    without:
      'This browser offers no passkeys here: it is too old, or the page is not opened by https. You can add one later, in your account.',
    skip: 'Not now',
  },
  invitation: {
    title: 'Your invitation',
    titleAt: (company: string) => `Join ${company}`,
    invitedBy: (name: string, role: string) => `${name} has invited you. Your role: ${role}.`,
    invited: (role: string) => `You have been invited. Your role: ${role}.`,
    choose: 'Choose a password, and you are in.',
    signIn: (email: string) => `You have an account with ${email} already. Sign in, then accept.`,
    signInFirst: 'Sign in',
    otherPerson: (current: string, invited: string) =>
      `You are signed in as ${current}. Sign out and continue as ${invited}.`,
    switchPerson: (invited: string) => `Continue as ${invited}`,
    submit: 'Accept the invitation',
  },
  token: {
    text: 'Your browser does not pass on the code of your link by itself, because JavaScript is off or the link is not complete. Paste the whole link here.',
    submit: 'Continue',
  },
  deadLink: {
    title: 'This link has expired or was used',
    setUp:
      'Set-up links work once, for 24 hours. If you have set up your account already, sign in. Otherwise the person who runs this service makes a new link with the command “npx signoff setup-link”.',
    invitation:
      'If you have accepted the invitation already, sign in. Otherwise ask an administrator of your workspace for a new one.',
    reset: 'Links for a new password work once, for a short time. Ask for a new one.',
    newLink: 'Ask for a new link',
  },
  forgot: {
    title: 'Choose a new password',
    text: 'Enter your email address. You will get a link to choose a new password.',
    submit: 'Send the link',
    noMail:
      'This installation sends no mail. Ask the person who runs it: they can make a link for you with the command “signoff accounts reset”.',
    sentTitle: 'Check your inbox',
    sent: (email: string) =>
      `If there is an account for ${email}, a link to choose a new password is on its way. It works once, for 30 minutes.`,
    nothing: 'Nothing there? Look into the spam folder, or check the address.',
  },
  reset: {
    title: 'Choose a new password',
    text: 'All browsers will be signed out.',
    removesFactors:
      'Your authenticator app, your passkeys and your recovery codes will be removed. You can set them up again afterwards.',
    submit: 'Save the new password',
  },
  signedOut: {
    title: 'You are signed out',
    text: 'See you soon. On a shared computer, also close the browser.',
    again: 'Sign in again',
  },
  totpSetUp: {
    title: 'Set up an authenticator app',
    scan: 'Scan this picture with your authenticator app.',
    picture: 'QR code for your authenticator app',
    openApp: 'Open the app on this device',
    byHand: 'No camera? Enter this key in the app:',
    enter: 'Then enter the code that the app shows.',
    submit: 'Turn on',
  },
  recoveryCodes: {
    title: 'Keep these recovery codes',
    text: 'Each works once, if you lose your phone. They are shown only now: print them, or keep them in a password manager.',
    list: 'Recovery codes',
    owner: (email: string, company: string) => `${company}, ${email}`,
    copy: 'Copy',
    copied: 'Copied',
    print: 'Print',
    done: 'I have kept them',
  },
  roles: {
    owner: 'Owner',
    admin: 'Admin',
    manager: 'Manager',
    member: 'Member',
  } as Readonly<Record<string, string>>,
  done: {
    reset: 'Your new password is set. Sign in with it.',
    'again-factor':
      'Enter your password again, then set up your second factor. It keeps your account safe if you leave your desk.',
    again: 'Sign in again to make this change. It keeps your account safe if you leave your desk.',
    ended: 'Your session has ended. Please sign in again.',
    invited: 'Sign in with the address that was invited.',
  } as Readonly<Record<string, string>>,
  problems: {
    expired_link: {
      title: 'This link has expired',
      text: 'Links work for a limited time. Ask for a new one.',
    },
    used_link: {
      title: 'This link does not work any more',
      text: 'It was used already, or a newer one took its place. Each link works once.',
    },
    wrong_browser: {
      title: 'Open the link in the same browser',
      text: 'A sign-in link works only in the browser that asked for it. Copy it into that browser, or ask for a new link here.',
    },
    too_many_attempts: {
      title: 'Too many attempts',
      text: 'Wait 15 minutes, then try again. A link by mail or a passkey may work now.',
    },
    unverified_account: {
      title: 'Your address is not verified yet',
      text: 'Until it is, your password opens only the workspace that invited you first. Sign in by a link by mail, or ask the operator of this installation to verify your account.',
    },
    sso_failed: {
      title: 'The sign-in did not work',
      text: 'Your company’s sign-in service refused, or its answer could not be verified. Try again. If it goes on, tell an admin of your workspace.',
    },
    no_permission: {
      title: 'You have no access here',
      text: 'Your account does not allow this. An admin of your workspace can change that.',
    },
    cross_origin: {
      title: 'The form came from another place',
      text: 'For your safety, forms are accepted only from this site’s own pages. Open the page again and repeat.',
    },
    unreadable_form: {
      title: 'The form could not be read',
      text: 'It did not arrive as this page sends it. Open the page again and repeat.',
    },
    not_found: {
      title: 'This page is not here',
      text: 'The address is not complete, or it has changed.',
    },
    unavailable: {
      title: 'Not possible right now',
      text: 'The service cannot answer at the moment. Try again shortly.',
    },
  } as Readonly<Record<string, { readonly title: string; readonly text: string }>>,
  errors: {
    wrong_password: 'Address or password is not right.',
    wrong_code: 'This code is not right. Codes change every 30 seconds.',
    wrong_recovery: 'This recovery code is not right, or was used already.',
    weak_password:
      'This password is too easy to guess. Use at least 12 characters, and not your name or address.',
    leaked_password: 'This password is in lists of leaked passwords. Choose another one.',
    too_many_attempts: 'Too many attempts. Wait 15 minutes, then try again.',
    sso_required: 'Your workspace lets you in only through its single sign-on.',
    email_first: 'Enter your email address first.',
    no_mail: 'This installation sends no mail, so a link is not possible.',
    already_member: 'You belong to this workspace already. Sign in.',
    taken: 'There is an account with this address already.',
    blank: 'Fill this in.',
    email: 'This is not a complete email address.',
    too_long: 'This is too long.',
    invalid: 'This is not valid.',
    passkey: 'The passkey was not accepted. Try again, or use another way.',
    passkey_cancelled: 'Nothing was done. Try again when you are ready.',
    other: 'This did not work. Try again.',
  },
}

export type Texts = typeof en
