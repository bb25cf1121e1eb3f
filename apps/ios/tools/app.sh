#!/usr/bin/env bash
# app.sh: check what only Apple's systems compile, as far as that goes elsewhere: that it parses, and that it agrees with
# the package and with Tests/Declarations. Those are ours: what the real SwiftUI and Core ML make of it is not known.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
compile=(tools/swift.sh --driver-mode=swiftc -swift-version 6)
"${compile[@]}" -parse App/*.swift AppTests/*.swift UITests/*.swift Sources/CoreML/*.swift Tests/CoreML/*.swift \
  ../../examples/ios/*.swift
if [[ $(uname) == Linux ]]; then
  # The tests as well: `swift.sh test` then finds everything built.
  tools/swift.sh build -q --build-tests
  # These lie before the package's own modules, so that AzxCoreML is the one with Core ML in it, and not the empty one
  # that Linux builds.
  made=.build/declarations
  mkdir -p $made
  for module in UniformTypeIdentifiers CoreTransferable SwiftUI CoreML AVFoundation XCTest; do
    "${compile[@]}" -I $made -emit-module -module-name $module "Tests/Declarations/$module.swift" -o $made/$module.swiftmodule
  done
  agree=("${compile[@]}" -I "$made" -I .build/debug/Modules -I Sources/CSystem)
  # Not -typecheck, which leaves out what may be sent from one actor to another.
  sil=("${agree[@]}" -wmo -emit-sil -o $made/any.sil)
  "${sil[@]}" -parse-as-library -module-name AzxCoreML Sources/CoreML/*.swift \
    -emit-module-path $made/AzxCoreML.swiftmodule
  "${sil[@]}" -parse-as-library -enable-testing -module-name AzxApp App/*.swift \
    -emit-module-path $made/AzxApp.swiftmodule
  "${sil[@]}" -module-name azx_selftest Sources/SelfTestCommand/main.swift
  "${sil[@]}" -parse-as-library -module-name CoreMLTests Tests/CoreML/*.swift
  "${sil[@]}" -parse-as-library -module-name AzxAppTests AppTests/*.swift
  "${sil[@]}" -parse-as-library -module-name AzxUITests UITests/*.swift
  # Declarations that took anything would prove nothing.
  wrong=Tests/Declarations/Wrong/WrongUses.swift
  "${agree[@]}" -typecheck -parse-as-library "$wrong" 2>&1 | sed -n 's/^.*WrongUses.swift:\([0-9]*\):[0-9]*: error: /\1 /p' \
    > $made/refused || true
  awk -v wrong=$wrong '
    FNR == NR { errors[$1] = errors[$1] $0; next }
    {
      at = index($0, "// refused: ")
      words = at ? substr($0, at + 12) : ""
      if (at && !index(errors[FNR], words)) { print wrong ":" FNR ": taken, or refused for something else: " $0; failed = 1 }
      if (!at && FNR in errors) { print wrong ":" FNR ": " errors[FNR]; failed = 1 }
      uses += at > 0
    }
    END { if (uses < 10) { print wrong ": no more than " uses + 0 " wrong uses"; failed = 1 } exit failed }
  ' $made/refused $wrong >&2
  "${sil[@]}" -parse-as-library -module-name Connect4 ../../examples/ios/*.swift
  # The listings of docs/in-your-app.md.
  rm -f $made/listing*.swift
  awk -v folder=$made '/^```/ { in_swift = /swift$/; if (in_swift) close(file = folder "/listing" ++number ".swift"); next }
    in_swift { print > file }' ../../docs/in-your-app.md
  for listing in $made/listing*.swift; do "${sil[@]}" -parse-as-library -module-name Listing "$listing"; done
fi
printf 'App: %s files agree with the package and with Tests/Declarations.\n' \
  "$(find App AppTests UITests Sources/CoreML Sources/SelfTestCommand Tests/CoreML -name '*.swift' | wc -l)"
