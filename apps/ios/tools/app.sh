#!/usr/bin/env bash
# app.sh: check the app's sources as far as that goes without Xcode: that they parse, and that they agree with the package
# and with Tests/Declarations. Those are ours: what the real SwiftUI and Core ML make of the sources is not known.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
frontend=(tools/swift.sh -frontend -swift-version 6)
"${frontend[@]}" -parse App/*.swift
if [[ $(uname) == Linux ]]; then
  tools/swift.sh build -q --target AzxScreens
  mkdir -p .build/declarations
  for module in SwiftUI CoreML; do
    "${frontend[@]}" -emit-module -module-name $module "Tests/Declarations/$module.swift" \
      -o .build/declarations/$module.swiftmodule
  done
  # Not -typecheck, which leaves out what may be sent from one actor to another.
  "${frontend[@]}" -emit-sil -o /dev/null -parse-as-library -module-name AzxApp \
    -I .build/debug/Modules -I .build/declarations App/*.swift
fi
printf 'App: %s files agree with the package and with Tests/Declarations.\n' "$(find App -name '*.swift' | wc -l)"
