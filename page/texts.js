// Everything the page says, in both languages.

const texts = {
  // Screens
  welcome: { en: "Welcome", ko: "시작" },
  calibrate: { en: "Calibrate", ko: "보정" },
  settings: { en: "Settings", ko: "설정" },
  play: { en: "Play", ko: "놀이" },
  status: { en: "Status", ko: "상태" },
  // Everywhere
  faceFound: { en: "I see your face", ko: "얼굴이 보여요" },
  faceLost: { en: "I cannot see your face: look at the camera, in the light", ko: "얼굴이 안 보여요: 밝은 곳에서 카메라를 보세요" },
  hintTilt: { en: "Tilt your head: go to the next button", ko: "고개 기울이기: 다음 버튼으로" },
  hintPurse: { en: "Hold pursed lips: choose it", ko: "입술 오므리고 있기: 고르기" },
  hintChange: { en: "Tilt your head: change it", ko: "고개 기울이기: 값 바꾸기" },
  hintDone: { en: "Hold pursed lips: done", ko: "입술 오므리고 있기: 다 됐어요" },
  hintMove: { en: "Tilt your head: move", ko: "고개 기울이기: 움직이기" },
  hintJump: { en: "Purse your lips: jump", ko: "입술 오므리기: 뛰기" },
  hintLeave: { en: "Leave the picture: pause", ko: "화면에서 벗어나기: 멈춤" },
  hintMenu: { en: "Hold pursed lips: menu", ko: "입술 오므리고 있기: 메뉴" },
  hintBack: { en: "Come back into the picture", ko: "화면 안으로 돌아오세요" },
  hintFollow: { en: "Do what the picture says; it goes on by itself", ko: "화면을 따라 하세요. 저절로 넘어가요" },
  recording: { en: "● Recording", ko: "● 녹화 중" },
  hintKeys: { en: "or use Tab and Enter", ko: "또는 Tab과 Enter" },
  hintKeysOnly: { en: "Tab and Enter: choose", ko: "Tab과 Enter: 고르기" },
  demo: {
    en: "No camera: a recorded face plays. Plug one in and start again.",
    ko: "카메라가 없어 녹화된 얼굴이 놀고 있어요. 카메라를 꽂고 다시 시작하세요.",
  },
  disconnected: {
    en: "faceplay does not answer. I look again in {seconds} s, and go on by myself when it is back.",
    ko: "faceplay가 응답하지 않아요. {seconds}초 뒤에 다시 찾아보고, 돌아오면 저절로 이어 갈게요.",
  },
  startedElsewhere: {
    en: "faceplay was started anew under another address: open the one that it printed.",
    ko: "faceplay가 다른 주소로 새로 시작됐어요. 출력된 주소를 열어 주세요.",
  },
  connectedAgain: { en: "faceplay is back.", ko: "faceplay가 돌아왔어요." },
  watching: { en: "Another page controls the game; this one watches.", ko: "다른 창이 조종하고 있어요. 이 창은 보기만 해요." },
  takeControl: { en: "Control here", ko: "여기서 조종하기" },
  notInControl: { en: "Another page controls the game. To do it here, press “{button}” first.", ko: "다른 창이 조종하고 있어요. 여기서 하려면 먼저 ‘{button}’ 버튼을 누르세요." },
  noVideo: { en: "This browser cannot show the camera's pictures (no WebCodecs). Everything else works.", ko: "이 브라우저는 카메라 영상을 보여 주지 못해요(WebCodecs 없음). 나머지는 다 돼요." },
  waitingForVideo: { en: "Waiting for the camera’s pictures…", ko: "카메라 영상을 기다리는 중…" },
  language: { en: "한국어", ko: "English" },
  you: { en: "You", ko: "나" },
  hidePicture: { en: "Hide my picture", ko: "내 영상 접기" },
  showPicture: { en: "Show my picture", ko: "내 영상 펼치기" },
  // Welcome
  welcomeTitle: { en: "Play with your face", ko: "얼굴로 놀아요" },
  welcomeLead: {
    en: "Tilt your head to move, purse your lips to jump. Purse again in the air for a double jump. No hands needed, here either.",
    ko: "고개를 기울이면 움직이고, 입술을 오므리면 뛰어요. 공중에서 한 번 더 오므리면 2단 점프! 이 화면도 손 없이 쓸 수 있어요.",
  },
  source: { en: "Camera: {name}, {rate} pictures a second", ko: "카메라: {name}, 초당 {rate}장" },
  trouble: { en: "Trouble: {text}", ko: "문제: {text}" },
  chooseCharacter: { en: "Who are you?", ko: "누구로 할까요?" },
  nickname: { en: "Nickname", ko: "별명" },
  goCalibrate: { en: "Calibrate for me", ko: "나에게 맞추기" },
  goPlay: { en: "Play now", ko: "바로 놀기" },
  nova: { en: "Nova", ko: "노바" },
  luna: { en: "Luna", ko: "루나" },
  momo: { en: "Momo", ko: "모모" },
  pico: { en: "Pico", ko: "피코" },
  // Calibrate
  calibrateTitle: { en: "Calibrate", ko: "나에게 맞추기" },
  calibrateLead: {
    en: "About a minute. It goes on by itself: look at the picture and do what it says.",
    ko: "1분쯤 걸려요. 저절로 넘어가니 화면을 보고 따라 하세요.",
  },
  start: { en: "Start", ko: "시작" },
  cancel: { en: "Cancel", ko: "그만두기" },
  again: { en: "Again", ko: "다시 하기" },
  head: { en: "Head", ko: "고개" },
  lips: { en: "Lips", ko: "입술" },
  testIt: { en: "Test it", ko: "시험해 보기" },
  // Settings
  settingsTitle: { en: "Settings", ko: "설정" },
  tiltSensitivity: { en: "Tilt sensitivity", ko: "기울이기 민감도" },
  purseSensitivity: { en: "Purse sensitivity", ko: "오므리기 민감도" },
  less: { en: "large gestures only", ko: "크게 해야" },
  more: { en: "small gestures do", ko: "작아도" },
  percent: { en: "{value} % (50 % is what was calibrated)", ko: "{value} % (보정한 값이 50 %)" },
  percentOfPreset: { en: "{value} % (50 % is medium)", ko: "{value} % (50 %가 보통)" },
  curve: { en: "Steering", ko: "조종 곡선" },
  even: { en: "even", ko: "고르게" },
  fine: { en: "finer near the middle", ko: "가운데는 섬세하게" },
  inverted: { en: "Swap left and right", ko: "왼쪽과 오른쪽 바꾸기" },
  doubleJump: { en: "Double jump", ko: "2단 점프" },
  on: { en: "on", ko: "켬" },
  off: { en: "off", ko: "끔" },
  pictureSize: { en: "My picture", ko: "내 영상 크기" },
  small: { en: "Small", ko: "작게" },
  medium: { en: "Medium", ko: "보통" },
  large: { en: "Large", ko: "크게" },
  volume: { en: "Sound", ko: "소리" },
  testView: { en: "Try it: this is the real game", ko: "시험: 진짜 게임이에요" },
  rollPlot: { en: "Head, ° to the right", ko: "고개, 오른쪽으로 °" },
  pursePlot: { en: "Lips, score", ko: "입술, 점수" },
  begins: { en: "begins", ko: "시작" },
  ends: { en: "ends", ko: "끝" },
  fullSpeed: { en: "full speed", ko: "최고 속도" },
  saved: { en: "Saved", ko: "저장했어요" },
  // Play
  chooseLevel: { en: "Choose a level", ko: "단계를 고르세요" },
  best: { en: "best {time}", ko: "최고 {time}" },
  noLimit: { en: "no time limit", ko: "시간제한 없음" },
  limit: { en: "within {seconds} s", ko: "{seconds}초 안에" },
  guideTitle: { en: "How to climb", ko: "올라가는 법" },
  guide: {
    en: "Tilt to go left and right. Purse to jump, purse again in the air to jump higher. Keep ahead of the monster and reach the ship. Stuck? Hold pursed lips for 2½ seconds to go back to the last safe rock. Leave the picture and the game waits for you. Keys do it, too: arrows, space, Escape to pause.",
    ko: "고개를 기울이면 좌우로 가요. 오므리면 뛰고, 공중에서 또 오므리면 더 높이 뛰어요. 괴물보다 먼저 우주선까지 올라가세요. 막히면 2.5초 동안 오므리고 있으면 마지막 바위로 돌아가요. 화면에서 벗어나면 게임이 기다려요. 키보드로도 돼요: 화살표, 스페이스, 멈춤은 Esc.",
  },
  understood: { en: "Let’s go", ko: "좋아요" },
  dontShowAgain: { en: "Don’t show again", ko: "다시 보지 않기" },
  waitingForFace: { en: "Look at the camera to begin", ko: "카메라를 보면 시작해요" },
  paused: { en: "Paused", ko: "잠깐 멈춤" },
  pausedForFace: { en: "I cannot see you. The game waits.", ko: "얼굴이 안 보여 기다리고 있어요." },
  pause: { en: "Pause", ko: "멈춤" },
  menu: { en: "Menu", ko: "메뉴" },
  playByKeys: { en: "Play with the keyboard", ko: "키보드로 놀기" },
  resume: { en: "Go on", ko: "계속" },
  respawn: { en: "Back to the rock", ko: "바위로 돌아가기" },
  quit: { en: "Stop", ko: "그만하기" },
  height: { en: "{reached} of {count}", ko: "{count}칸 중 {reached}" },
  success: { en: "You are off!", ko: "출발!" },
  fail: { en: "The time is up", ko: "시간이 다 됐어요" },
  stopped: { en: "Stopped", ko: "그만했어요" },
  yourTime: { en: "{time} seconds", ko: "{time}초" },
  newBest: { en: "A new best time!", ko: "최고 기록이에요!" },
  playAgain: { en: "Again", ko: "한 번 더" },
  nextLevel: { en: "Next level", ko: "다음 단계" },
  levels: { en: "All levels", ko: "단계 고르기" },
  gameLabel: { en: "The game: you climb from rock to rock", ko: "게임: 바위에서 바위로 올라갑니다" },
  // Record and snap
  record: { en: "Record", ko: "녹화" },
  stopRecording: { en: "Stop recording", ko: "녹화 끝내기" },
  snap: { en: "Photo", ko: "사진" },
  savedAs: { en: "Saved: {name}", ko: "저장했어요: {name}" },
  // Status
  statusTitle: { en: "Status", ko: "상태" },
  cameraRow: { en: "Camera", ko: "카메라" },
  rateRow: { en: "Pictures a second", ko: "초당 화면" },
  latencyRow: { en: "Picture to gesture, 95 % within", ko: "화면에서 동작까지(95 %)" },
  profileRow: { en: "Profile", ko: "프로필" },
  pagesRow: { en: "Pages open", ko: "열린 창" },
  connectionRow: { en: "Service", ko: "서비스" },
  connected: { en: "Connected", ko: "연결됨" },
  notConnected: { en: "Not connected", ko: "연결 안 됨" },
  none: { en: "–", ko: "–" },
};

export let language = localStorage.getItem("language") ?? (navigator.language.startsWith("ko") ? "ko" : "en");

export function setLanguage(name) {
  language = name === "ko" ? "ko" : "en";
  localStorage.setItem("language", language);
  document.documentElement.lang = language;
}

/** The text of this key with each `{name}` replaced. */
export function text(key, values = {}) {
  const found = texts[key]?.[language];
  if (found === undefined) throw new Error(`no text ${key}`);
  return Object.entries(values).reduce((line, [name, value]) => line.replace(`{${name}}`, value), found);
}
